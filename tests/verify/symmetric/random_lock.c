// A generator of numbers under a mutex: no two threads take the same step.
// With BUG: the state is read in front of the mutex.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int __VERIFIER_nondet_int(void);
int seed = 1;

void drawer(void) {
    int old, next;
#ifdef BUG
    old = seed;
    pthread_mutex_lock(&lock);
#else
    pthread_mutex_lock(&lock);
    old = seed;
#endif
    next = __VERIFIER_nondet_int();
    if (next == old) next = old == 0 ? 1 : 0;
    assert(seed == old && next != seed);
    seed = next;
    pthread_mutex_unlock(&lock);
}
