// A cache with two lines: looked up under a lock, filled outside of it, and put in if nobody else was faster.
#include <assert.h>
#include <pthread.h>

#define LINES 2
extern int __VERIFIER_nondet_int(void);

struct line { int valid, key, value; };
static struct line lines[LINES];
static int hits, misses, lookups, stored;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int compute(int key) { return key * 2 + 1; }

static int get(int key) {
    int slot = key & (LINES - 1), value;
    pthread_mutex_lock(&lock);
    lookups++;
    if (lines[slot].valid && lines[slot].key == key) {
        hits++;
        value = lines[slot].value;
        assert(hits + misses == lookups); // SAFE
        pthread_mutex_unlock(&lock);
        return value;
    }
    misses++;
    assert(hits + misses == lookups); // SAFE
    pthread_mutex_unlock(&lock);
    value = compute(key);
    pthread_mutex_lock(&lock);
    if (!lines[slot].valid || lines[slot].key != key) {
        lines[slot].valid = 1;
        lines[slot].key = key;
        lines[slot].value = value;
        stored++;
    }
    assert(lines[slot].valid); // SAFE
    assert(stored <= misses); // SAFE
    pthread_mutex_unlock(&lock);
    return value;
}

static void *user(void *unused) {
    for (int i = 0; i < 2; i++) {
        int key = __VERIFIER_nondet_int() & 3;
        int value = get(key);
        assert(value >= 1); // SAFE
        assert(value == 2 * key + 1); // UNKNOWN (an invariant that is told by a key)
    }
    pthread_mutex_lock(&lock);
    __goblint_check(hits <= 1); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, user, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(lookups == 4); // SAFE
    assert(hits + misses == 4); // SAFE
    assert(stored >= 0 && stored <= misses); // SAFE
    return 0;
}
