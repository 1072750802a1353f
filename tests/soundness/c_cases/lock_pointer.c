#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void){ int (*l)(pthread_mutex_t*) = pthread_mutex_lock; int r = l(&m);
__goblint_check(r == 0);
r = pthread_mutex_trylock(&m);
__goblint_check(r == 0);
return 0;}
