// What operations on a destroyed mutex return is not 0 for sure; what is there returns 0.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

bool __VERIFIER_nondet_bool(void);

pthread_mutex_t gone = PTHREAD_MUTEX_INITIALIZER, there = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_destroy(&gone);
    assert(pthread_mutex_lock(&there) == 0); // SAFE
    if (__VERIFIER_nondet_bool())
        assert(pthread_mutex_lock(&gone) == 0); // UNSAFE! (undefined: a destroyed mutex is used)
    pthread_mutex_init(&gone, 0);
    assert(pthread_mutex_lock(&gone) == 0); // SAFE
    assert(pthread_mutex_unlock(&gone) == 0); // SAFE
    return 0;
}
