// A free list of nodes in an array, by index, under a spinlock of one's own (atomic_flag).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NODES 4
#define NONE (-1)

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int next[NODES] = {1, 2, 3, NONE};
static int head = 0, free_nodes = NODES;

static void lock(void) {
    while (atomic_flag_test_and_set(&busy))
        ;
}

static void unlock(void) { atomic_flag_clear(&busy); }

static int take(void) {
    lock();
    int found = head;
    if (found != NONE) {
        assert(found >= 0 && found < NODES); // SAFE
        head = next[found];
        next[found] = NONE;
        free_nodes--;
    }
    assert(free_nodes <= NODES); // SAFE
    unlock();
    return found;
}

static void put(int node) {
    lock();
    next[node] = head;
    head = node;
    free_nodes++;
    assert(head >= 0); // SAFE
    unlock();
}

static void *user(void *unused) {
    int node = take();
    // Four nodes for two threads, one for each.
    assert(node != NONE); // UNKNOWN (what a list in an array has in it)
    if (node == NONE)
        return 0;
    assert(node < NODES); // SAFE
    __goblint_check(free_nodes == NODES - 1); // UNSAFE!
    put(node);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, user, 0);
    lock();
    assert(free_nodes >= NODES - 2); // SAFE
    __goblint_check(free_nodes == NODES); // UNSAFE!
    unlock();
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(free_nodes == NODES); // SAFE (needs octagon)
    assert(head != NONE); // SAFE
    return 0;
}
