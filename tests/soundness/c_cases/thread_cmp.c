#include <pthread.h>
int done, data;
void *w(void *a){ data=5; done=1; return 0; }
int main(void){ pthread_t t[2]; int r0=pthread_create(&t[0],0,w,0); int r1=pthread_create(t+1,0,w,0); if(!r0) pthread_join(t[0],0); if(!r1) pthread_join(*(t+1),0);
__goblint_check(done==0);
__goblint_check(data==5);
return 0;}
