// ARGS: --properties assertion,array-bounds
// A ring that runs for ever and takes one more than it has room for.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define LEN 2u
static int ring[LEN];
static atomic_uint wr, rd;
static void *producer(void *a) {
    while (1) {
        unsigned w = atomic_load(&wr), r = atomic_load(&rd);
        assert(w - r <= LEN); // UNSAFE!
        if (w - r == LEN + 1)
            continue;
        ring[w % LEN] = 7; // SAFE
        atomic_store(&wr, w + 1);
    }
    return a;
}
static void *consumer(void *a) {
    while (1) {
        unsigned r = atomic_load(&rd), w = atomic_load(&wr);
        assert(w - r <= LEN); // UNSAFE!
        if (w == r)
            continue;
        int v = ring[r % LEN]; // SAFE
        assert(v == 7); // SAFE
        atomic_store(&rd, r + 1);
    }
    return a;
}
int main(void) {
    pthread_t p, c;
    pthread_create(&p, 0, producer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_join(p, 0);
    pthread_join(c, 0);
    return 0;
}
