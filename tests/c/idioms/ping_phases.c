// ARGS: --properties assertion,data-race
// Producer and consumer in lockstep: one writes, both meet, the other reads, both meet.
#include <assert.h>
#include <pthread.h>

#define ROUNDS 10
static int slot; // SAFE
static int sum; // SAFE
static pthread_barrier_t b;

static void *producer(void *unused) {
    for (int r = 0; r < ROUNDS; r++) {
        slot = r;
        pthread_barrier_wait(&b);
        pthread_barrier_wait(&b);
    }
    return 0;
}

static void *consumer(void *unused) {
    for (int r = 0; r < ROUNDS; r++) {
        pthread_barrier_wait(&b);
        assert(slot == r); // SAFE (needs how often two threads have passed a barrier)
        assert(slot < ROUNDS); // SAFE
        sum += slot;
        pthread_barrier_wait(&b);
    }
    return 0;
}

int main(void) {
    pthread_t p, c;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&p, 0, producer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_join(p, 0);
    pthread_join(c, 0);
    assert(sum >= 0); // SAFE
    assert(sum == 0); // UNSAFE!
    return 0;
}
