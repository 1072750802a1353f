// ARGS: --properties assertion,array-bounds
// A ring of one producer and one consumer with indices that run freely.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 8u
#define MASK (SIZE - 1u)

static unsigned char ring[SIZE];
static atomic_uint head, tail;

static int put(unsigned char c) {
    unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
    unsigned t = atomic_load_explicit(&tail, memory_order_acquire);
    if (h - t == SIZE)
        return 0;
    assert(h - t < SIZE); // SAFE
    ring[h & MASK] = c; // SAFE
    atomic_store_explicit(&head, h + 1, memory_order_release);
    return 1;
}

static int get(unsigned char *c) {
    unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
    unsigned h = atomic_load_explicit(&head, memory_order_acquire);
    if (h == t)
        return 0;
    assert(h - t >= 1 && h - t <= SIZE); // SAFE
    *c = ring[t & MASK]; // SAFE
    atomic_store_explicit(&tail, t + 1, memory_order_release);
    return 1;
}

static void *producer(void *arg) {
    (void)arg;
    for (int i = 0; i < 20; i++)
        while (!put((unsigned char)(i % 10)))
            ;
    return NULL;
}

static void *consumer(void *arg) {
    (void)arg;
    for (int i = 0; i < 20; i++) {
        unsigned char c = 0;
        while (!get(&c))
            ;
        assert(c < 10); // SAFE
    }
    return NULL;
}

int main(void) {
    pthread_t p, c;
    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    assert(atomic_load(&head) == 20); // SAFE
    assert(atomic_load(&head) == atomic_load(&tail)); // SAFE
    return 0;
}
