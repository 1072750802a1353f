// What is taken from one cell goes to the other in one atomic section.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(), __VERIFIER_atomic_end();
int left = 20, right;

void *mover(void *unused) {
    int amount = __VERIFIER_nondet_int();
    __VERIFIER_atomic_begin();
    if (amount > 0 && amount <= left) {
        left -= amount;
        right += amount;
    }
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, 0, mover, 0);
    __VERIFIER_atomic_begin();
    int sum = left + right;
    int less = left;
    __VERIFIER_atomic_end();
    assert(sum == 20); // SAFE (needs octagon)
    assert(less >= 0); // SAFE (needs octagon)
    return 0;
}
