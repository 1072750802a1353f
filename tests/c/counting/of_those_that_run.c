// A thread that may never have been started has counted nothing, although whoever waits for the flag may think so.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
static volatile int count, flag;

static void *counts(void *unused) {
    count++;
    flag = 1;
    return 0;
}

static void *waits(void *unused) {
    while (flag == 0) { }
    assert(count >= 1); // UNSAFE!
    assert(count >= 0); // SAFE
    assert(count <= 1); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, waits, 0);
    if (__VERIFIER_nondet_int()) {
        pthread_create(&b, 0, counts, 0);
    } else {
        flag = 1;
    }
    pthread_join(a, 0);
    return 0;
}
