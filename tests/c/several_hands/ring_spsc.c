// ARGS: --properties assertion,array-bounds
// One producer and one consumer, no lock: free-running indices, masked when used.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define LEN 8u
#define MASK (LEN - 1)
static int ring[LEN];
static atomic_uint wr, rd;

static int push(int v) {
    unsigned w = atomic_load(&wr), r = atomic_load(&rd);
    assert(w - r <= LEN); // SAFE
    if (w - r == LEN)
        return 0;
    ring[w & MASK] = v; // SAFE
    atomic_store(&wr, w + 1);
    return 1;
}

static int pop(int *v) {
    unsigned r = atomic_load(&rd), w = atomic_load(&wr);
    assert(w - r <= LEN); // SAFE
    if (w == r)
        return 0;
    *v = ring[r & MASK]; // SAFE
    atomic_store(&rd, r + 1);
    return 1;
}

static void *producer(void *a) {
    int next = 1;
    while (next <= 100)
        if (push(next))
            next++;
    return 0;
}

static void *consumer(void *a) {
    int got = 0, v = 0;
    while (got < 100) {
        if (pop(&v)) {
            got++;
            assert(v >= 1); // UNKNOWN (differences of ends that wrap)
            assert(v <= 100); // SAFE
            assert(v == got); // UNKNOWN (differences of ends that wrap)
        }
    }
    return 0;
}

int main(void) {
    pthread_t p, c;
    pthread_create(&p, 0, producer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_join(p, 0);
    assert(atomic_load(&wr) == 100); // SAFE
    assert(atomic_load(&rd) <= 100); // SAFE
    pthread_join(c, 0);
    assert(atomic_load(&rd) == 100); // SAFE
    return 0;
}
