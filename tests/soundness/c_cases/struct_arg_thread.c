#include <pthread.h>
struct a {int id; int *out;}; int res[3];
void *t(void *p){ struct a *q=p; *q->out=q->id+1; return 0; }
int main(void){ pthread_t h[3]; struct a as[3]; for(int i=0;i<3;i++){ as[i].id=i; as[i].out=&res[i]; pthread_create(&h[i],0,t,&as[i]); } for(int i=0;i<3;i++) pthread_join(h[i],0);
__goblint_check(res[0]==0);
__goblint_check(res[2]==3);
__goblint_check(res[2]==0);
return 0;}
