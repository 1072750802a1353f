// A section that ends in both branches is over behind them, even though it began before.
#include <pthread.h>
#include <assert.h>

int half, x;

void *watch(void *unused) {
    assert(half == 0);   // UNSAFE!
    assert(half <= 1);   // SAFE
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, watch, 0);
    __VERIFIER_atomic_begin();
    if (x) {
        x = 2;
        __VERIFIER_atomic_end();
    } else {
        __VERIFIER_atomic_end();
    }
    half = 1;
    half = 0;
    pthread_join(thread, 0);
    return 0;
}
