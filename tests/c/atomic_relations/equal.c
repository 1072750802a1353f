// Two cells are equal whenever nobody is inside of an atomic section.
#include <pthread.h>
#include <assert.h>

extern void __VERIFIER_atomic_begin(), __VERIFIER_atomic_end();
int x, y;

void *both(void *unused) {
    __VERIFIER_atomic_begin();
    x = x + 1;
    y = y + 1;
    __VERIFIER_atomic_end();
    return 0;
}

void *same(void *unused) {
    __VERIFIER_atomic_begin();
    x = y;
    assert(x == y); // SAFE (needs octagon)
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 2; i++) {
        pthread_create(&thread, 0, both, 0);
        pthread_create(&thread, 0, same, 0);
    }
    __VERIFIER_atomic_begin();
    assert(x == y); // SAFE (needs octagon)
    __VERIFIER_atomic_end();
    return 0;
}
