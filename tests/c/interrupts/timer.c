// A timer that may fire from the moment it is armed; main disarms it by an atomic compare-and-swap.
#include <pthread.h>
#include <assert.h>

int armed;
int ticks;

void *timer(void *unused) {
    while (1) {
        __VERIFIER_atomic_begin();
        if (armed) ticks = 1;
        __VERIFIER_atomic_end();
    }
    return 0;
}

int main(void) {
    pthread_t t;
    assert(ticks == 0); // SAFE
    pthread_create(&t, 0, timer, 0);
    assert(ticks == 0); // SAFE
    armed = 1;
    assert(ticks == 0); // UNSAFE!
    assert(ticks <= 1); // SAFE
    armed = 0;
    ticks = 0;
    assert(ticks == 0); // SAFE
    return 0;
}
