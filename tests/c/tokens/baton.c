// Two semaphores hand a baton back and forth: the counts of both sides differ by at most one, and who has it knows how.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t ping, pong;
static int pings, pongs;

static void *left(void *unused) {
    for (int i = 0; i < 100; i++) {
        sem_wait(&ping);
        assert(pings == pongs); // SAFE
        pings++;
        sem_post(&pong);
    }
    return 0;
}

static void *right(void *unused) {
    for (int i = 0; i < 100; i++) {
        sem_wait(&pong);
        assert(pings == pongs + 1); // SAFE
        pongs++;
        sem_post(&ping);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    sem_init(&ping, 0, 1);
    sem_init(&pong, 0, 0);
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(pings >= 0 && pongs >= 0); // SAFE
    return 0;
}
