// Masks, shifts and remainders have bounds, whatever the other thread writes.
#include <pthread.h>
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);
unsigned reg;

void *device(void *unused) {
    while (1) reg = __VERIFIER_nondet_uint();
    return 0;
}

int main(void) {
    pthread_t t;
    unsigned value, low, high, rest;
    pthread_create(&t, 0, device, 0);
    value = reg;
    low = value & 0x0f;
    high = value >> 28;
    rest = value % 10;
    assert(low <= 15); // SAFE
    assert(high <= 15); // SAFE
    assert(rest <= 9); // SAFE
    assert(low + high <= 30); // SAFE
    assert(low <= 14); // UNSAFE!
    assert(rest != 9); // UNSAFE!
    return 0;
}
