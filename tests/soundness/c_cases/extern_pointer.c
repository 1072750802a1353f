#include <stdlib.h>
int main(void){ int (*f)(int) = abs; int r = f(-3);
__goblint_check(r == 0);
__goblint_check(r == 3);
return 0;}
