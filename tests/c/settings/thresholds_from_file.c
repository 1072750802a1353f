// ARGS: --properties assertion,division-by-zero
// Values from a file are validated before they are published; one user forgets that zero is valid.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
static int interval = 10, retries = 3;

static int parse(int raw, int low, int high, int fallback) {
    if (raw < low) return fallback;
    if (raw > high) return fallback;
    return raw;
}

static void *loader(void *unused) {
    interval = parse(__VERIFIER_nondet_int(), 1, 60, 10);
    retries = parse(__VERIFIER_nondet_int(), 0, 5, 3);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, loader, 0);
    int per_minute = 60 / interval; // SAFE
    assert(per_minute >= 1 && per_minute <= 60); // SAFE
    assert(retries >= 0 && retries <= 5); // SAFE
    int share = 100 / retries; // UNSAFE!
    assert(share <= 100); // SAFE
    return 0;
}
