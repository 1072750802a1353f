// ARGS: --properties division-by-zero,assertion
// A divisor that another thread sets to zero after it was tested.
#include <pthread.h>
#include <assert.h>

int divisor = 4;

void *reset(void *unused) {
    divisor = 0;
    divisor = 2;
    return 0;
}

int main(void) {
    pthread_t t;
    int copy, quotient = 0;
    pthread_create(&t, 0, reset, 0);
    copy = divisor;
    if (copy != 0) {
        quotient = 100 / copy; // SAFE
    }
    assert(quotient >= 0); // SAFE
    assert(quotient <= 100); // SAFE
    if (divisor != 0) {
        quotient = 100 / divisor; // UNSAFE!
    }
    return 0;
}
