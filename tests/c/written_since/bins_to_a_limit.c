// A histogram under one lock, of which no bin gets more than so many.
#include <assert.h>
#include <pthread.h>
#define BINS 64
static int bins[BINS];
static int total;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned __VERIFIER_nondet_uint(void);
static void *worker(void *unused) {
    for (int k = 0; k < 100; k++) {
        unsigned v = __VERIFIER_nondet_uint();
        unsigned b = v % BINS;
        pthread_mutex_lock(&m);
        int old = bins[b];
        if (bins[b] < 50) { bins[b]++; total++;
            assert(bins[b] == old + 1); // SAFE
            __goblint_check(bins[b] == 1); // UNSAFE!
        }
        assert(bins[b] <= 50); // SAFE
        assert(bins[b] >= 0); // SAFE
        pthread_mutex_unlock(&m);
    }
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0); pthread_join(b, 0);
    for (int i = 0; i < BINS; i++)
        assert(bins[i] <= 50); // SAFE
    return 0;
}
