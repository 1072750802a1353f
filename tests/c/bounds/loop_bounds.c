// ARGS: --properties array-bounds,assertion
// Loops over an array: right, one too far, and relative to where it began.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
int samples[16];
int sums[16];

void *fill(void *unused) {
    int i, start = __VERIFIER_nondet_int(), end;
    for (i = 0; i < 16; i++)
        samples[i] = i; // SAFE
    if (start >= 0 && start < 100) {
        end = start + 16;
        for (i = start; i < end; i++)
            sums[i - start] = 0; // SAFE (needs octagon)
    }
    for (i = 0; i <= 16; i++)
        samples[i] = 0; // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, fill, 0);
    assert(samples[3] >= 0); // SAFE
    return 0;
}
