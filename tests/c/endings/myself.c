// A thread that waits for itself is refused, and goes on.
#include <pthread.h>
#include <assert.h>
#include <errno.h>

int after;

void *worker(void *unused) {
    int result = pthread_join(pthread_self(), 0);
    __goblint_check(result != EDEADLK); // UNSAFE! (undefined: a thread joins itself)
    after = 1;
    return 0;
}

int main(void) {
    pthread_t a;
    if (pthread_create(&a, 0, worker, 0)) return 1;
    pthread_join(a, 0);
    __goblint_check(after == 0); // UNSAFE! (undefined: a thread joins itself)
    assert(after <= 1); // SAFE
    return 0;
}
