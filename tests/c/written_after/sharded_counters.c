// ARGS: --properties assertion,array-bounds,overflow
// A counter in shards: each thread adds to its own, main adds them up after the join; a peek before that sees less.
#include <assert.h>
#include <pthread.h>

#define THREADS 3
#define ROUNDS 4
struct shard {
    _Atomic long hits, misses;
    char padding[48];
};
static struct shard shards[THREADS];
static int numbers[THREADS];

static void *count(void *argument) {
    int me = *(int *)argument;
    assert(me >= 0 && me < THREADS); // SAFE
    for (int i = 0; i < ROUNDS; i++) {
        if (i % 2 == 0)
            shards[me].hits++; // SAFE
        else
            shards[me].misses++; // SAFE
        assert(shards[me].hits >= shards[me].misses); // SAFE
    }
    assert(shards[me].hits == ROUNDS / 2); // UNKNOWN (how often a loop takes each of two ways)
    return 0;
}

static long hits(void) {
    long sum = 0;
    for (int i = 0; i < THREADS; i++)
        sum += shards[i].hits; // SAFE
    return sum;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i; // SAFE
        pthread_create(&threads[i], 0, count, &numbers[i]);
    }
    long early = hits();
    assert(early >= 0); // SAFE
    assert(early <= THREADS * ROUNDS / 2); // SAFE
    __goblint_check(early == THREADS * ROUNDS / 2); // UNSAFE!
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0); // SAFE
    long all = hits();
    assert(all == THREADS * ROUNDS / 2); // SAFE
    assert(early <= all); // SAFE
    __goblint_check(early < all); // UNSAFE!
    return 0;
}
