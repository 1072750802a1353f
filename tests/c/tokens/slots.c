// Free and filled slots of a ring as semaphores: tokens of one are only made of tokens of the other, five in all.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define SLOTS 5
static sem_t vacant, filled;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *producer(void *unused) {
    for (int i = 0; i < 4; i++) {
        sem_wait(&vacant);
        pthread_mutex_lock(&lock);
        count++;
        assert(count >= 1); // SAFE
        assert(count <= SLOTS); // SAFE
        pthread_mutex_unlock(&lock);
        sem_post(&filled);
    }
    return 0;
}

static void *consumer(void *unused) {
    for (int i = 0; i < 4; i++) {
        sem_wait(&filled);
        pthread_mutex_lock(&lock);
        assert(count > 0); // SAFE
        count--;
        pthread_mutex_unlock(&lock);
        sem_post(&vacant);
    }
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    sem_init(&vacant, 0, SLOTS);
    sem_init(&filled, 0, 0);
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, producer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_join(a, 0);
    return 0;
}
