#include <stdlib.h>
int g; void bye(void){ 
__goblint_check(g==0);
}
int main(void){ atexit(bye); g=4; return 0;}
