#include <stdlib.h>
#include <string.h>
struct n {int *q;}; int x=1,y=2; struct n src={&x};
int main(void){ struct n *p=malloc(sizeof *p); if(!p) return 0; memcpy(p,&src,sizeof src); *p->q = 5;
__goblint_check(x==1);
p->q=&y; *p->q = 6;
__goblint_check(y==2);
__goblint_check(x==1);
return 0;}
