// ARGS: --properties assertion,array-bounds
// Chain lengths per bucket; the bucket is a hash modulo their number, which for a signed hash may be negative.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
#define BUCKETS 8
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int length[BUCKETS];

static void *insert(void *unused) {
    unsigned hash = (unsigned)__VERIFIER_nondet_int() * 31u;
    int bucket = hash % BUCKETS;
    pthread_mutex_lock(&lock);
    if (length[bucket] < 5) // SAFE
        length[bucket]++; // SAFE
    pthread_mutex_unlock(&lock);
    assert(bucket >= 0 && bucket < BUCKETS); // SAFE
    return 0;
}

static void *lookup(void *unused) {
    int hash = __VERIFIER_nondet_int() % BUCKETS;
    assert(hash > -BUCKETS && hash < BUCKETS); // SAFE
    int found = length[hash]; // UNSAFE!
    assert(found <= 5); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, insert, 0);
    pthread_create(&b, 0, lookup, 0);
    pthread_join(a, 0);
    assert(length[3] >= 0); // SAFE
    return 0;
}
