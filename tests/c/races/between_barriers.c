// ARGS: --properties data-race
// Phases of loops between waits at a barrier: in one each thread writes its own part, in the other it reads all parts.
#include <pthread.h>

#define N 16
#define STEPS 6
static int row[N], fresh[N]; // SAFE
static int slot, sum;        // SAFE
static int total, parts[3];  // SAFE
static pthread_barrier_t two, pair, three;

static void *half(void *given) {
    int from = (long)given * (N / 2), to = from + N / 2;
    for (int step = 0; step < STEPS; step++) {
        for (int i = from; i < to; i++)
            fresh[i] = (i > 0 ? row[i - 1] : 0) + (i < N - 1 ? row[i + 1] : 0);
        pthread_barrier_wait(&two);
        for (int i = from; i < to; i++)
            row[i] = fresh[i];
        pthread_barrier_wait(&two);
    }
    return 0;
}

static void *producer(void *unused) {
    for (int round = 0; round < 10; round++) {
        slot = round;
        pthread_barrier_wait(&pair);
        pthread_barrier_wait(&pair);
    }
    slot = -1;
    return 0;
}

static void *consumer(void *unused) {
    int round = 10;
    while (round--) {
        pthread_barrier_wait(&pair);
        sum += slot;
        if (sum > 100)
            sum = slot;
        pthread_barrier_wait(&pair);
    }
    return 0;
}

static void *adder(void *given) {
    long number = (long)given;
    parts[number] = number;
    pthread_barrier_wait(&three);
    if (number == 0)
        total = parts[0] + parts[1] + parts[2];
    pthread_barrier_wait(&three);
    int seen = total;
    pthread_barrier_wait(&three);
    if (number == 1)
        total = seen + 1;
    return 0;
}

int main(void) {
    pthread_t a, b, c, d;
    pthread_barrier_init(&two, 0, 2);
    pthread_barrier_init(&pair, 0, 2);
    pthread_barrier_init(&three, 0, 3);
    pthread_create(&a, 0, half, (void *)0L);
    pthread_create(&b, 0, half, (void *)1L);
    pthread_create(&c, 0, producer, 0);
    pthread_create(&d, 0, consumer, 0);
    pthread_create(&a, 0, adder, (void *)0L);
    pthread_create(&b, 0, adder, (void *)1L);
    adder((void *)2L);
    return 0;
}
