// ARGS: --properties assertion,overflow,data-race
// Counters that saturate: at both ends under a lock, and lock free at 255.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define MAX 15
static int confidence = 8; // SAFE
static _Atomic uint8_t hot;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
extern int __VERIFIER_nondet_int(void);

static void *predictor(void *arg) {
    for (int i = 0; i < 100; i++) {
        int taken = __VERIFIER_nondet_int();
        pthread_mutex_lock(&m);
        int old = confidence;
        if (taken)
            confidence = confidence < MAX ? confidence + 1 : MAX;
        else
            confidence = confidence > 0 ? confidence - 1 : 0;
        assert(confidence >= 0 && confidence <= MAX); // SAFE
        assert(confidence - old <= 1 && old - confidence <= 1); // SAFE
        assert(taken || confidence < MAX); // SAFE
        pthread_mutex_unlock(&m);

        uint8_t h = atomic_load(&hot);
        while (h < 255 && !atomic_compare_exchange_weak(&hot, &h, h + 1))
            ;
        assert(atomic_load(&hot) > 0); // SAFE
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, predictor, 0);
    pthread_create(&b, 0, predictor, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(hot >= 100); // SAFE
    assert(hot == 200); // SAFE
    return 0;
}
