#include <pthread.h>
#include <semaphore.h>
sem_t s; int v;
void *w(void *a){ v=3; sem_post(&s); return 0; }
int main(void){ pthread_t t; sem_init(&s,0,0); pthread_create(&t,0,w,0); sem_wait(&s); int k; sem_getvalue(&s,&k);
__goblint_check(v==0);
__goblint_check(v==3);
__goblint_check(k==1);
pthread_join(t,0); return 0;}
