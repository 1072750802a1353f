#include <pthread.h>
pthread_rwlock_t l=PTHREAD_RWLOCK_INITIALIZER; int v;
void *w(void *a){ pthread_rwlock_wrlock(&l); v=1; v=2; pthread_rwlock_unlock(&l); return 0; }
int main(void){ pthread_t t; pthread_create(&t,0,w,0); pthread_join(t,0); pthread_rwlock_rdlock(&l); pthread_rwlock_rdlock(&l);
__goblint_check(v==1);
__goblint_check(v==2);
pthread_rwlock_unlock(&l); 
__goblint_check(pthread_rwlock_trywrlock(&l)==0);
pthread_rwlock_unlock(&l); 
__goblint_check(pthread_rwlock_trywrlock(&l)!=0);
return 0;}
