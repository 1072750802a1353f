// One release too many: the inner one ends the section of an error-checking or ordinary mutex.
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>

pthread_mutex_t strict = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
int guarded;

static void helper(void) {
    pthread_mutex_lock(&strict);
    guarded = 1;
    pthread_mutex_unlock(&strict);
}

void *worker(void *unused) {
    pthread_mutex_lock(&strict);
    guarded = 0;
    assert(guarded == 0); // SAFE
    helper();
    assert(guarded == 1); // UNSAFE!
    pthread_mutex_unlock(&strict);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    return 0;
}
