// ARGS: --properties overflow
// Additions that fit because of a test, and one that need not fit.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
int limit = 1000;
int total;

void *adder(void *unused) {
    int amount = __VERIFIER_nondet_int();
    if (amount > 0 && amount < 1000) {
        int twice = amount + amount; // SAFE
        limit = twice;
    }
    return 0;
}

int main(void) {
    pthread_t t;
    int request = __VERIFIER_nondet_int();
    pthread_create(&t, 0, adder, 0);
    total = limit + 1; // SAFE
    total = limit * 10; // SAFE
    if (request > 0) {
        total = request + limit; // UNSAFE!
    }
    return 0;
}
