#include <stdlib.h>
struct f {int n; int d[];};
int main(void){ struct f *p = malloc(sizeof *p + 4*sizeof(int)); if (!p) return 0; p->n = 4; for (int i=0;i<4;i++) p->d[i]=i;
__goblint_check(p->d[3]==0);
__goblint_check(p->n==4);
__goblint_check(sizeof(struct f)==4);
return 0;}
