// The lock holds the number of its owner: taken by a compare and exchange from 0, given back by storing 0. The counts of
// free and used blocks change under it only.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define BLOCKS 32
static _Atomic int owner;
static int unused_blocks = BLOCKS, used_blocks;

static bool lock_for(int who) {
    int expected = 0;
    return atomic_compare_exchange_strong(&owner, &expected, who);
}

static int allocate(int who, int count) {
    int done = 0;
    while (!lock_for(who))
        ;
    if (count <= unused_blocks) {
        unused_blocks -= count;
        used_blocks += count;
        done = 1;
    }
    assert(unused_blocks + used_blocks == BLOCKS); // SAFE
    assert(unused_blocks >= 0); // SAFE
    assert(owner == who); // SAFE
    owner = 0;
    return done;
}

static void *first(void *unused) { allocate(1, 20); return 0; }
static void *second(void *unused) { allocate(2, 5); return 0; }

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    while (!lock_for(3))
        ;
    assert(used_blocks <= BLOCKS); // SAFE
    assert(used_blocks % 5 == 0); // SAFE
    owner = 0;
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
