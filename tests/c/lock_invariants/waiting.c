// A bounded buffer with condition variables: waiting gives the lock away, but the bounds hold again when it is back.
#include <pthread.h>
#include <assert.h>
#define SIZE 2

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int put, got;

void *producer(void *unused) {
    pthread_mutex_lock(&lock);
    while (put - got >= SIZE)
        pthread_cond_wait(&changed, &lock);
    put++;
    assert(put - got <= SIZE); // SAFE (needs octagon)
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return 0;
}

void *consumer(void *unused) {
    pthread_mutex_lock(&lock);
    while (put == got)
        pthread_cond_wait(&changed, &lock);
    assert(put > got); // SAFE (needs octagon)
    got++;
    assert(put > got); // UNSAFE!
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 3; i++) {
        pthread_create(&thread, 0, producer, 0);
        pthread_create(&thread, 0, consumer, 0);
    }
    return 0;
}
