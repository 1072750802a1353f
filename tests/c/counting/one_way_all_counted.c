// Threads that count under a lock, or fail: what main finds behind them is what all have counted.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int taken, given;

static void *worker(void *unused) {
    if (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&lock);
        taken++;
        given++;
        pthread_mutex_unlock(&lock);
    } else {
        assert(0); // UNSAFE!
    }
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(taken == given); // SAFE
    return 0;
}
