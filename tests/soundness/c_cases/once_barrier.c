#include <pthread.h>
pthread_once_t o=PTHREAD_ONCE_INIT; int n; pthread_barrier_t b; int x;
void init(void){ n++; }
void *w(void *a){ pthread_once(&o,init); x=1; pthread_barrier_wait(&b); return 0; }
int main(void){ pthread_t t; pthread_barrier_init(&b,0,2); pthread_create(&t,0,w,0); pthread_once(&o,init); pthread_barrier_wait(&b);
__goblint_check(n==0);
__goblint_check(x==0);
pthread_join(t,0);
__goblint_check(n==1);
return 0;}
