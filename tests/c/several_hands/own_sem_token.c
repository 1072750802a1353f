// ARGS: --properties assertion,data-race
// Semaphores as tokens: a binary one as a lock, a counting one for three permits.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t mutex, permits;
static int active, total; // SAFE

static void *worker(void *arg) {
    for (int i = 0; i < 5; i++) {
        sem_wait(&permits);
        sem_wait(&mutex);
        active++;
        total++;
        assert(active >= 1); // SAFE
        assert(active <= 3); // SAFE
        sem_post(&mutex);

        sem_wait(&mutex);
        assert(active > 0); // SAFE
        active--;
        sem_post(&mutex);
        sem_post(&permits);
    }
    return 0;
}

int main(void) {
    pthread_t t[5];
    sem_init(&mutex, 0, 1);
    sem_init(&permits, 0, 3);
    for (int i = 0; i < 5; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 5; i++)
        pthread_join(t[i], 0);
    assert(active == 0); // SAFE
    assert(total == 25); // SAFE
    int left;
    sem_getvalue(&permits, &left);
    assert(left == 3); // SAFE
    return 0;
}
