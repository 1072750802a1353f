// Read-modify-write of a register in the task, overwritten by the handler in between.
#include <pthread.h>
#include <assert.h>

int irq_enabled = 1;
int control;

void *irq(void *unused) {
    while (1) {
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(irq_enabled);
        control = 8;
        __VERIFIER_atomic_end();
    }
    return 0;
}

int main(void) {
    int copy;
    pthread_t t;
    pthread_create(&t, 0, irq, 0);
    copy = control;
    assert(copy == control); // UNSAFE!
    irq_enabled = 0;
    control = 3;
    copy = control;
    assert(copy == 3); // SAFE
    irq_enabled = 1;
    assert(control >= 0); // SAFE
    assert(control <= 8); // SAFE
    return 0;
}
