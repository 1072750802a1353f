// ARGS: --properties assertion,array-bounds
// A histogram with clamped bins; a second one trusts its input.
#include <pthread.h>
#include <assert.h>

#define BINS 10
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int bins[BINS], trusting[BINS];

static void *sampler(void *unused) {
    for (int i = 0; i < 4; i++) {
        int value = __VERIFIER_nondet_int();
        int bin = value < 0 ? 0 : value / 10;
        if (bin >= BINS) bin = BINS - 1;
        pthread_mutex_lock(&lock);
        if (bins[bin] < 100) // SAFE
            bins[bin]++; // SAFE
        pthread_mutex_unlock(&lock);
        assert(bin >= 0 && bin <= 9); // SAFE
        if (value >= 0) {
            trusting[value / 10] = 1; // UNSAFE!
        }
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, sampler, 0);
    pthread_create(&b, 0, sampler, 0);
    assert(bins[0] >= 0); // SAFE
    int top = bins[9]; // SAFE
    assert(top <= 100); // SAFE
    return 0;
}
