// ARGS: --properties assertion,overflow
// An exponential average in fixed point; the value stays in its range by clamping.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
static int average, sharp = 1;

static void *filter(void *unused) {
    while (1) {
        int sample = __VERIFIER_nondet_int();
        if (sample < 0 || sample > 4095) continue;
        int old = average;
        int next = (7 * old + sample) / 8; // SAFE
        if (next > 4095) next = 4095;
        if (next < 0) next = 0;
        average = next;
        sharp = sharp * 2 + sample; // UNSAFE!
    }
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, filter, 0);
    assert(average >= 0); // SAFE
    assert(average <= 4095); // SAFE
    return 0;
}
