// Static initialisers for each kind: what taking a mutex twice means.
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
#include <errno.h>

pthread_mutex_t again = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
pthread_mutex_t strict = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
int guarded, state;

void *worker(void *unused) {
    int result = pthread_mutex_unlock(&strict);
    assert(result == EPERM); // SAFE
    result = pthread_mutex_lock(&strict);
    assert(result == 0); // SAFE
    guarded = 1;
    result = pthread_mutex_lock(&strict);
    assert(result == EDEADLK); // SAFE
    assert(guarded == 1); // SAFE
    guarded = 0;
    result = pthread_mutex_unlock(&strict);
    assert(result == 0); // SAFE

    pthread_mutex_lock(&again);
    result = pthread_mutex_trylock(&again);
    assert(result == 0); // SAFE
    state = 2;
    pthread_mutex_unlock(&again);
    assert(state == 2); // SAFE
    state = 0;
    pthread_mutex_unlock(&again);
    __goblint_check(state == 0); // UNSAFE!
    result = pthread_mutex_unlock(&again);
    assert(result == EPERM); // SAFE

    pthread_mutex_lock(&adaptive);
    result = pthread_mutex_trylock(&adaptive);
    __goblint_check(result == 0); // UNSAFE!
    pthread_mutex_unlock(&adaptive);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    return 0;
}
