// A cache of squares with few places: who finds it full throws out the entry that was used the longest time ago.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define PLACES 2
struct entry {
    int key, value;
    unsigned used_at; /* 0: the place is empty */
};
static struct {
    pthread_mutex_t lock;
    struct entry entries[PLACES];
    int filled;
    unsigned clock;
    int hits, misses, evictions;
} cache = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int oldest(void) {
    int found = 0;
    for (int i = 1; i < PLACES; i++)
        if (cache.entries[i].used_at < cache.entries[found].used_at)
            found = i;
    assert(found >= 0 && found < PLACES); // SAFE
    return found;
}

static int square(int key) {
    pthread_mutex_lock(&cache.lock);
    cache.clock++;
    for (int i = 0; i < cache.filled; i++) {
        if (cache.entries[i].key == key) {
            cache.hits++;
            cache.entries[i].used_at = cache.clock;
            int value = cache.entries[i].value;
            assert(value == key * key); // UNKNOWN (an invariant that is told by a key)
            pthread_mutex_unlock(&cache.lock);
            return value;
        }
    }
    cache.misses++;
    int at;
    if (cache.filled < PLACES) {
        at = cache.filled++;
        assert(cache.entries[at].used_at == 0); // UNKNOWN (what is in an array behind an index)
    } else {
        at = oldest();
        cache.evictions++;
        assert(cache.entries[at].used_at != 0); // UNKNOWN (what is in an array before an index)
    }
    cache.entries[at] = (struct entry){key, key * key, cache.clock};
    assert(cache.filled + cache.evictions == cache.misses); // SAFE
    assert(cache.filled <= PLACES); // SAFE
    int value = cache.entries[at].value;
    pthread_mutex_unlock(&cache.lock);
    return value;
}

static void *client(void *unused) {
    for (int i = 0; i < 3; i++) {
        int key = rand() % 4;
        int value = square(key);
        assert(value >= 0 && value <= 9); // SAFE
    }
    pthread_mutex_lock(&cache.lock);
    assert(cache.hits + cache.misses >= 3); // SAFE
    assert(cache.filled >= 1); // UNKNOWN (what is counted has been filled)
    __goblint_check(cache.evictions == 0); // UNSAFE!
    pthread_mutex_unlock(&cache.lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, client, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(cache.hits + cache.misses == 6); // SAFE
    assert(cache.clock == 6); // SAFE
    assert(cache.evictions <= 4); // SAFE
    return 0;
}
