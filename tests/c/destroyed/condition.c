// Waiting for a condition that is destroyed may fail and does not release the mutex; for one that is there it does.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

bool __VERIFIER_nondet_bool(void);

pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t gone = PTHREAD_COND_INITIALIZER, there = PTHREAD_COND_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&gate);
    assert(pthread_cond_wait(&there, &gate) == 0); // SAFE
    pthread_cond_destroy(&gone);
    if (__VERIFIER_nondet_bool())
        assert(pthread_cond_wait(&gone, &gate) == 0); // UNSAFE! (undefined: a destroyed condition is used)
    pthread_cond_init(&gone, 0);
    assert(pthread_cond_wait(&gone, &gate) == 0); // SAFE
    pthread_mutex_unlock(&gate);
    pthread_cond_destroy(&there);
    return 0;
}
