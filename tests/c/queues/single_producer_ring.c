// ARGS: --properties assertion,array-bounds
// A lock-free ring for one producer and one consumer: each owns one index.
#include <pthread.h>
#include <assert.h>

#define SIZE 4
static volatile unsigned written, taken;
static int ring[SIZE];
static int drops;

static void *producer(void *unused) {
    int value = 0;
    while (1) {
        unsigned w = written;
        if (w - taken >= SIZE) {
            if (drops < 1000) drops++;
            continue;
        }
        value = value < 9 ? value + 1 : 1;
        ring[w % SIZE] = value; // SAFE
        written = w + 1;
        assert(drops <= 1000); // SAFE
    }
    return 0;
}

static void *consumer(void *unused) {
    while (1) {
        unsigned t = taken;
        if (t == written) continue;
        int value = ring[t % SIZE]; // SAFE
        assert(value <= 9); // SAFE
        assert(value != 3); // UNSAFE!
        assert(value >= 1); // UNKNOWN (relates the indices to what the slots hold)
        taken = t + 1;
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    return 0;
}
