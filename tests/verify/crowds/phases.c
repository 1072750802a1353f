/* Six workers start when main has set the table, in two groups; main changes a price in between. */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int ready, low, high, price = 1;

static void *worker(void *unused) {
    int seen = 0;
    assert(ready == 1); /* SAFE; with BUG main is late */
    __VERIFIER_atomic_begin();
    seen = price;
    low = low + seen;
    high = high + seen;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    assert(low == high); /* SAFE */
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t a, b, c, d, e, f;
#ifndef BUG
    ready = 1;
#endif
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_create(&c, 0, worker, 0);
    price = 4;
    ready = 1;
    pthread_create(&d, 0, worker, 0);
    pthread_create(&e, 0, worker, 0);
    pthread_create(&f, 0, worker, 0);
    return 0;
}
