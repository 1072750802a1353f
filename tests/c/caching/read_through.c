// ARGS: --parameterized --entries lookup,invalidate
// One cached value with a valid flag under a lock; the statistics are kept without it.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int valid, cached, hits, misses;

static int load(void) {
    int raw = __VERIFIER_nondet_int();
    return raw >= 1 && raw <= 50 ? raw : 1;
}

void lookup(void) {
    int found;
    pthread_mutex_lock(&lock);
    if (!valid) {
        cached = load();
        valid = 1;
        misses = 1;
    }
    found = cached;
    assert(found <= 50); // SAFE
    assert(found >= 1); // SAFE
    pthread_mutex_unlock(&lock);
    if (hits < 10) hits++;
    assert(misses == 1); // SAFE (what is valid was loaded, and then it is 1 for ever)
    assert(valid == 1); // UNSAFE!
}

void invalidate(void) {
    pthread_mutex_lock(&lock);
    valid = 0;
    assert(cached >= 0); // SAFE
    assert(cached <= 50); // SAFE
    pthread_mutex_unlock(&lock);
}
