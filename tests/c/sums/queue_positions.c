// A queue counts what comes in, what goes out and what is there, each in a cell of its own.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned int put, taken, length;

void *producer(void *unused) {
    pthread_mutex_lock(&lock);
    if (put < 1000) {
        put++;
        length++;
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

void *consumer(void *unused) {
    pthread_mutex_lock(&lock);
    if (length != 0) {
        assert(taken < put); // SAFE (needs octagon)
        length--;
        taken++;
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 5; i++) {
        pthread_create(&thread, 0, producer, 0);
        pthread_create(&thread, 0, consumer, 0);
    }
    pthread_mutex_lock(&lock);
    assert(put == taken + length); // SAFE (needs octagon)
    pthread_mutex_unlock(&lock);
    return 0;
}
