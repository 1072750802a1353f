// A cache counts its lookups, and each of them as a hit or as a miss, all in one section.
#include <assert.h>
#include <pthread.h>

#define SLOTS 4
static struct {
    int key[SLOTS];
    unsigned char is_used[SLOTS];
} cache;
static struct statistics {
    int lookups, hits, misses;
} statistics;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

extern int __VERIFIER_nondet_int(void);

static int lookup(int key) {
    int slot = (unsigned)key % SLOTS, is_hit;
    pthread_rwlock_wrlock(&lock);
    statistics.lookups++;
    is_hit = cache.is_used[slot] && cache.key[slot] == key;
    if (is_hit) {
        statistics.hits++;
    } else {
        cache.key[slot] = key;
        cache.is_used[slot] = 1;
        statistics.misses++;
    }
    pthread_rwlock_unlock(&lock);
    return is_hit;
}

static void *client(void *unused) {
    lookup(__VERIFIER_nondet_int());
    lookup(3);
    return 0;
}

static void *monitor(void *unused) {
    pthread_rwlock_rdlock(&lock);
    assert(statistics.hits + statistics.misses == statistics.lookups); // SAFE
    assert(statistics.hits <= statistics.lookups); // SAFE
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, client, 0);
    pthread_create(&c, 0, monitor, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
