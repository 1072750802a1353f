// ARGS: --properties assertion,array-bounds
// A free list in an array: -1 ends it. The second allocator forgets to look for the end.
#include <pthread.h>
#include <assert.h>

#define NODES 4
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next_free[NODES];
static int first_free;

static int allocate(void) {
    int node = -1;
    pthread_mutex_lock(&lock);
    if (first_free >= 0 && first_free < NODES) {
        node = first_free;
        first_free = next_free[node]; // SAFE
    }
    pthread_mutex_unlock(&lock);
    return node;
}

static void give_back(int node) {
    pthread_mutex_lock(&lock);
    next_free[node] = first_free; // SAFE
    first_free = node;
    pthread_mutex_unlock(&lock);
}

static void *user(void *unused) {
    for (int i = 0; i < 2; i++) {
        int node = allocate();
        assert(node >= -1); // SAFE
        assert(node < NODES); // SAFE
        if (node >= 0) give_back(node);
    }
    return 0;
}

static void *greedy(void *unused) {
    for (int i = 0; i < NODES + 1; i++) {
        pthread_mutex_lock(&lock);
        int node = first_free;
        first_free = next_free[node]; // UNSAFE!
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    for (int i = 0; i < NODES; i++)
        next_free[i] = i + 1 < NODES ? i + 1 : -1; // SAFE
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, greedy, 0);
    pthread_join(a, 0);
    assert(first_free < NODES); // SAFE
    return 0;
}
