// Functions that run without interruption by their name. The transfer of one is seen whole or not at all.
#include <assert.h>
#include <pthread.h>

static int checking = 70, saving = 30, fees;

void __VERIFIER_atomic_transfer(int amount) {
    if (checking > amount) {
        checking -= amount + 1;
        saving += amount;
        fees += 1;
    }
}

int __VERIFIER_atomic_sum(void) {
    return checking + saving;
}

static void *customer(void *unused) {
    __VERIFIER_atomic_transfer(10);
    __VERIFIER_atomic_transfer(25);
    return 0;
}

static void *auditor(void *unused) {
    int sum = __VERIFIER_atomic_sum();
    assert(sum <= 100); // SAFE
    int paid = fees;
    assert(paid >= 0); // SAFE
    __goblint_check(sum + paid == 100); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, customer, 0);
    pthread_create(&b, 0, customer, 0);
    pthread_create(&c, 0, auditor, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(checking + saving + fees == 100); // SAFE
    return 0;
}
