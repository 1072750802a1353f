// ARGS: --properties assertion,array-bounds
// A table that is never written holds what it was initialised with.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
static const int speeds[4] = {10, 20, 40, 80};
int chosen = 10;

void *chooser(void *unused) {
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 3) return 0;
    chosen = speeds[i]; // SAFE
    return 0;
}

int main(void) {
    pthread_t t;
    int index = __VERIFIER_nondet_int();
    pthread_create(&t, 0, chooser, 0);
    assert(chosen >= 10); // SAFE
    assert(chosen <= 80); // SAFE
    assert(chosen < 80); // UNSAFE!
    assert(speeds[1] == 20); // SAFE
    if (index >= 0 && index <= 1) assert(speeds[index] <= 20); // SAFE
    if (index >= 0 && index <= 4)
        index = speeds[index]; // UNSAFE!
    return 0;
}
