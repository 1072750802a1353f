// Sections of the verifier: inside of one nobody else runs. Three cells that each section leaves in order.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(), __VERIFIER_atomic_end();
extern int __VERIFIER_nondet_int(void);

static int low, value, high = 10;

static void *adjust(void *unused) {
    int by = __VERIFIER_nondet_int();
    __VERIFIER_atomic_begin();
    if (by >= 0 && by < 100 && value + by <= high)
        value += by;
    assert(low <= value); // SAFE
    assert(value <= high); // UNKNOWN (an order of three cells)
    __VERIFIER_atomic_end();
    return 0;
}

static void *widen(void *unused) {
    __VERIFIER_atomic_begin();
    low--;
    high++;
    __VERIFIER_atomic_end();
    return 0;
}

static void *narrow(void *unused) {
    __VERIFIER_atomic_begin();
    high = value;
    low = value;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) {
        pthread_create(&t, 0, adjust, 0);
        pthread_create(&t, 0, widen, 0);
        pthread_create(&t, 0, narrow, 0);
    }
    __VERIFIER_atomic_begin();
    int room = high - low;
    __VERIFIER_atomic_end();
    assert(room >= 0); // SAFE
    return 0;
}
