// ARGS: --properties assertion,array-bounds
// A cache of four entries with the counts of hits, misses and entries thrown out.
#include <assert.h>
#include <pthread.h>

#define ENTRIES 4

struct entry {
    int key, value, valid;
};

static struct entry cache[ENTRIES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int hits, misses, evicted, filled, lookups;

static int compute(int key) {
    return 3 * key + 1;
}

static int lookup(int key) {
    int slot = key % ENTRIES;
    int value;
    pthread_mutex_lock(&lock);
    lookups++;
    struct entry *e = &cache[slot]; // SAFE
    if (e->valid && e->key == key) {
        hits++;
        value = e->value;
    } else {
        misses++;
        if (e->valid)
            evicted++;
        else
            filled++;
        value = compute(key);
        e->key = key;
        e->value = value;
        e->valid = 1;
    }
    assert(e->valid); // SAFE
    assert(e->key == key); // SAFE
    assert(hits + misses == lookups); // SAFE
    assert(evicted + filled == misses); // SAFE
    assert(evicted <= misses); // SAFE
    pthread_mutex_unlock(&lock);
    return value;
}

static void *client(void *arg) {
    int base = *(int *)arg;
    for (int i = 0; i < 5; i++) {
        int v = lookup(base + i);
        assert(v >= 1); // UNKNOWN (an element by a flag of it)
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    int first = 0, second = 3;
    pthread_create(&a, 0, client, &first);
    pthread_create(&b, 0, client, &second);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(lookups == 10); // SAFE
    assert(hits + misses == 10); // SAFE
    assert(filled <= ENTRIES); // UNKNOWN (sums over flags)
    assert(misses >= 4); // UNKNOWN (sums over flags)
    assert(hits > 0); // UNSAFE!
    return 0;
}
