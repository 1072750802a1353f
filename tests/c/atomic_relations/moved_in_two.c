// As moved.c, but in two atomic sections, between which somebody may look.
#include <pthread.h>
#include <assert.h>

extern void __VERIFIER_atomic_begin(), __VERIFIER_atomic_end();
int left = 20, right;

void *mover(void *unused) {
    __VERIFIER_atomic_begin();
    left = left - 1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    right = right + 1;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, mover, 0);
    __VERIFIER_atomic_begin();
    int sum = left + right;
    __VERIFIER_atomic_end();
    assert(sum == 20); // UNSAFE!
    return 0;
}
