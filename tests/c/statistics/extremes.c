// ARGS: --parameterized --entries record,check --init reset
// The least and the greatest value seen; they are updated together under a lock.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int least, greatest;

void reset(void) {
    least = 50;
    greatest = 50;
}

void record(void) {
    int value = __VERIFIER_nondet_int();
    if (value < 0 || value > 100) return;
    pthread_mutex_lock(&lock);
    if (value < least) least = value;
    if (value > greatest) greatest = value;
    assert(least <= value); // SAFE (needs octagon)
    assert(least <= greatest); // SAFE
    pthread_mutex_unlock(&lock);
}

void check(void) {
    int low = least;
    int high = greatest;
    assert(low >= 0 && low <= 50); // SAFE
    assert(high >= 50 && high <= 100); // SAFE
    assert(low == least); // UNSAFE!
}
