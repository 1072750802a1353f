// ARGS: --properties assertion
// Two producers that do not take turns: one overwrites what the other has counted, or both count at once.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define LEN 2u
static atomic_uint wr, rd;
static void *producer(void *a) {
    for (int i = 0; i < 3; i++) {
        unsigned w = atomic_load(&wr), r = atomic_load(&rd);
        assert(w - r <= LEN); // UNSAFE!
        if (w - r >= LEN) continue;
        atomic_fetch_add(&wr, 1);
    }
    return a;
}
static void *consumer(void *a) {
    for (int i = 0; i < 3; i++) {
        unsigned r = atomic_load(&rd), w = atomic_load(&wr);
        assert(w - r <= LEN); // UNSAFE!
        if (w == r) continue;
        atomic_store(&rd, r + 1);
    }
    return a;
}
int main(void) {
    pthread_t p, c, d;
    pthread_create(&p, 0, producer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_create(&d, 0, producer, 0);
    pthread_join(p, 0);
    pthread_join(c, 0);
    return 0;
}
