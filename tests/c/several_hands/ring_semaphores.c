// ARGS: --properties assertion,array-bounds,data-race
// The textbook's bounded buffer: empty and full count places, a mutex guards the indices.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define N 4
static int buf[N]; // SAFE
static int in = 0, out = 0; // SAFE
static int items; // SAFE
static sem_t empty, full;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *producer(void *arg) {
    for (int i = 0; i < 10; i++) {
        sem_wait(&empty);
        pthread_mutex_lock(&mutex);
        buf[in] = i; // SAFE
        in = (in + 1) % N;
        items++;
        assert(items <= N); // SAFE
        pthread_mutex_unlock(&mutex);
        sem_post(&full);
    }
    return 0;
}

static void *consumer(void *arg) {
    for (int i = 0; i < 10; i++) {
        sem_wait(&full);
        pthread_mutex_lock(&mutex);
        assert(items > 0); // SAFE
        int v = buf[out]; // SAFE
        out = (out + 1) % N;
        items--;
        pthread_mutex_unlock(&mutex);
        sem_post(&empty);
        assert(v >= 0 && v < 10); // SAFE
    }
    return 0;
}

int main(void) {
    pthread_t p[2], c[2];
    sem_init(&empty, 0, N);
    sem_init(&full, 0, 0);
    for (int i = 0; i < 2; i++) {
        pthread_create(&p[i], 0, producer, 0);
        pthread_create(&c[i], 0, consumer, 0);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(p[i], 0);
        pthread_join(c[i], 0);
    }
    assert(items == 0); // SAFE
    assert(in == out); // SAFE
    return 0;
}
