// Small functions with several returns, inlined at several places.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
int shared;

static int clamp(int value, int low, int high) {
    if (value < low) return low;
    if (value > high) return high;
    return value;
}

void *writer(void *unused) {
    shared = clamp(__VERIFIER_nondet_int(), 5, 9);
    return 0;
}

int main(void) {
    pthread_t t;
    int percent = clamp(__VERIFIER_nondet_int(), 0, 100);
    pthread_create(&t, 0, writer, 0);
    assert(percent >= 0); // SAFE
    assert(percent <= 100); // SAFE
    assert(percent < 100); // UNSAFE!
    assert(shared <= 9); // SAFE
    assert(shared == 0); // UNSAFE!
    assert(clamp(3, 1, 2) == 2); // SAFE
    return 0;
}
