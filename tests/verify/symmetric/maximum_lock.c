// The largest of some numbers, under a mutex.
// With BUG: it is compared in front of the mutex.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int __VERIFIER_nondet_int(void);
int largest;

void finder(void) {
    int number = __VERIFIER_nondet_int();
#ifdef BUG
    if (number > largest) {
        pthread_mutex_lock(&lock);
        largest = number;
        pthread_mutex_unlock(&lock);
    }
#else
    pthread_mutex_lock(&lock);
    if (number > largest) largest = number;
    pthread_mutex_unlock(&lock);
#endif
    assert(number <= largest);
}
