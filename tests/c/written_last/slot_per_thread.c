// Each thread counts in a slot of its own, which it gets by number; main adds them up when all have ended.
#include <assert.h>
#include <pthread.h>

#define THREADS 3
struct slot { int hits, misses; };
static struct slot slots[THREADS];
static int keys[4] = {3, 5, 7, 9};

static int holds(int key) {
    for (int i = 0; i < 4; i++)
        if (keys[i] == key)
            return 1;
    return 0;
}

static void *searcher(void *argument) {
    struct slot *mine = argument;
    for (int key = 3; key < 8; key++) {
        if (holds(key))
            mine->hits++;
        else
            mine->misses++;
        assert(mine->hits >= 1); // SAFE
    }
    assert(mine->hits + mine->misses == 5); // SAFE
    assert(mine->hits <= 5); // SAFE
    __goblint_check(slots[0].hits == 3); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, searcher, &slots[i]);
    int hits = 0, misses = 0;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], 0);
        assert(slots[i].misses >= 0); // SAFE
        hits += slots[i].hits;
        misses += slots[i].misses;
    }
    assert(hits >= 0); // SAFE
    assert(hits + misses == 15); // SAFE
    assert(hits == 9); // SAFE
    return 0;
}
