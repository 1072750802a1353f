// Producer and consumer in lockstep: what was written in one phase is read in the next one.
#include <assert.h>
#include <pthread.h>

#define ROUNDS 10
static int slot, state;
static pthread_barrier_t meeting;

static void *producer(void *unused) {
    for (int round = 0; round < ROUNDS; round++) {
        slot = round;
        state = 1;
        pthread_barrier_wait(&meeting);
        assert(state <= 2); // SAFE
        pthread_barrier_wait(&meeting);
        assert(state == 2); // SAFE
        slot = -1;
    }
    return 0;
}

static void *consumer(void *unused) {
    for (int round = 0; round < ROUNDS; round++) {
        pthread_barrier_wait(&meeting);
        assert(slot >= 0);     // SAFE
        assert(state == 1);    // SAFE
        assert(slot == round); // SAFE (needs how often two threads have passed, as a number)
        state = 2;
        pthread_barrier_wait(&meeting);
        assert(state == 2); // UNSAFE!
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&meeting, 0, 2);
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
