// ARGS: --properties array-bounds,assertion
// Loops over an array: right, one too far, and with a second index in step.
#include <pthread.h>
#include <assert.h>

int samples[16];
int sums[17];

void *fill(void *unused) {
    int i, j = 0;
    for (i = 0; i < 16; i++)
        samples[i] = i; // SAFE
    for (i = 0; i < 16; i++) {
        sums[j] = 0; // SAFE (needs octagon)
        j++;
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
