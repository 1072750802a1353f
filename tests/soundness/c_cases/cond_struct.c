#include <pthread.h>
struct q {pthread_mutex_t m; pthread_cond_t c; int n;} q={PTHREAD_MUTEX_INITIALIZER,PTHREAD_COND_INITIALIZER,0};
void *w(void *a){ struct q *p=a; pthread_mutex_lock(&p->m); p->n++; pthread_cond_signal(&p->c); pthread_mutex_unlock(&p->m); return 0; }
int main(void){ pthread_t t; pthread_create(&t,0,w,&q); pthread_mutex_lock(&q.m); while(q.n==0) pthread_cond_wait(&q.c,&q.m); 
__goblint_check(q.n==0);
__goblint_check(q.n==1);
pthread_mutex_unlock(&q.m); pthread_join(t,0); return 0;}
