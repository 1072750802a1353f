// An atomic section with branches: nobody sees the states inside it.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
int gear, clutch;

void *driver(void *unused) {
    while (1) {
        __VERIFIER_atomic_begin();
        gear = 9;
        if (__VERIFIER_nondet_int()) {
            assert(gear == 9); // SAFE
            gear = 1;
        } else {
            gear = 2;
        }
        __VERIFIER_atomic_end();
        clutch = 9;
        clutch = 1;
    }
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, driver, 0);
    assert(gear <= 2); // SAFE
    assert(clutch <= 1); // UNSAFE!
    assert(gear >= 0); // SAFE
    return 0;
}
