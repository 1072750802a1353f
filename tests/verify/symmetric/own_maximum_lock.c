// The largest number of each thread first, then of all, under a mutex.
// With BUG: it is compared in front of the mutex.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int __VERIFIER_nondet_int(void);
int largest;

void finder(void) {
    int mine = 0;
    for (int i = 0; i < 2; i++) {
        int number = __VERIFIER_nondet_int();
        if (number > mine) mine = number;
        assert(number <= mine);
    }
#ifdef BUG
    if (mine > largest) {
        pthread_mutex_lock(&lock);
        largest = mine;
        pthread_mutex_unlock(&lock);
    }
#else
    pthread_mutex_lock(&lock);
    if (mine > largest) largest = mine;
    pthread_mutex_unlock(&lock);
#endif
    assert(mine <= largest);
}
