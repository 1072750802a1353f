// ARGS: --properties assertion,overflow --parameterized --entries count_up,count_down,report
// Counters that stop at their limits under a lock; one is changed without it.
#include <pthread.h>
#include <assert.h>

#define MOST 2147483647
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int locked, loose = MOST - 1;

void count_up(void) {
    pthread_mutex_lock(&lock);
    if (locked < MOST)
        locked = locked + 1; // SAFE
    assert(locked >= 1); // SAFE
    pthread_mutex_unlock(&lock);
    if (loose < MOST)
        loose = loose + 1; // UNSAFE!
}

void count_down(void) {
    pthread_mutex_lock(&lock);
    if (locked > 0)
        locked = locked - 1; // SAFE
    pthread_mutex_unlock(&lock);
}

void report(void) {
    assert(locked >= 0); // SAFE
    assert(loose >= 2); // SAFE
}
