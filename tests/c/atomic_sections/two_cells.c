// Two cells changed together: a reader outside of atomic sections sees them apart.
#include <pthread.h>
#include <assert.h>

int debit, credit;

void *transfer(void *unused) {
    while (1) {
        __VERIFIER_atomic_begin();
        debit = 5;
        credit = 5;
        __VERIFIER_atomic_end();
        __VERIFIER_atomic_begin();
        debit = 0;
        credit = 0;
        __VERIFIER_atomic_end();
    }
    return 0;
}

int main(void) {
    pthread_t t;
    int d, c;
    pthread_create(&t, 0, transfer, 0);
    d = debit;
    c = credit;
    assert(d <= 5); // SAFE
    assert(d == c); // UNSAFE!
    __VERIFIER_atomic_begin();
    d = debit;
    c = credit;
    __VERIFIER_atomic_end();
    assert(d == c); // SAFE (needs octagon)
    return 0;
}
