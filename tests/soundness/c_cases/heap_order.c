#include <stdlib.h>
#include <string.h>
#include <pthread.h>
struct n {int *q; int v;};
void *t(void *a){ struct n *p=a; *p->q=7; p->v=3; return 0; }
int main(void){ int x=1; struct n src={&x,1}; struct n *p=malloc(sizeof *p); memcpy(p,&src,sizeof src); pthread_t h; pthread_create(&h,0,t,p); pthread_join(h,0);
__goblint_check(x==1);
__goblint_check(p->v==1);
return 0;}
