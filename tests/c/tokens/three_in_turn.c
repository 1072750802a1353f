// Three threads take turns by three semaphores: each finds the counts of the others as its place in the round demands.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t first, second, third;
static int ones, twos, threes;

static void *one(void *unused) {
    for (int i = 0; i < 50; i++) {
        sem_wait(&first);
        assert(ones == threes); // SAFE
        ones++;
        sem_post(&second);
    }
    return 0;
}

static void *two(void *unused) {
    for (int i = 0; i < 50; i++) {
        sem_wait(&second);
        assert(ones == twos + 1); // SAFE
        assert(twos == threes); // SAFE
        twos++;
        sem_post(&third);
    }
    return 0;
}

static void *three(void *unused) {
    for (int i = 0; i < 50; i++) {
        sem_wait(&third);
        assert(twos == threes + 1); // SAFE
        threes++;
        sem_post(&first);
    }
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    sem_init(&first, 0, 1);
    sem_init(&second, 0, 0);
    sem_init(&third, 0, 0);
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_create(&c, 0, three, 0);
    return 0;
}
