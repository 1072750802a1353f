// Unsigned arithmetic wraps, and -1 is the largest unsigned number.
#include <pthread.h>
#include <assert.h>

unsigned credit = 1;

void *spender(void *unused) {
    unsigned before = credit;
    unsigned after = before - 1u;
    credit = after;
    assert(after <= before); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    int minus = -1;
    unsigned zero = 0;
    pthread_create(&a, 0, spender, 0);
    pthread_create(&b, 0, spender, 0);
    if (minus > zero) {
        assert(minus == -1); // SAFE
    } else {
        reach_error(); // UNREACHABLE
    }
    assert(zero - 1u == 4294967295u); // SAFE
    assert(zero - 1u < 1u); // UNSAFE!
    return 0;
}
