// Offsets stay aligned to eight; the index of a record is exact, and the last record is still inside.
#include <pthread.h>
#include <assert.h>

#define SIZE 256

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned offset;

void *producer(void *unused) {
    int i;
    for (i = 0; i < 40; i++) {
        pthread_mutex_lock(&lock);
        if (offset < SIZE)
            offset += 8;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

void *consumer(void *unused) {
    unsigned at, index;
    pthread_mutex_lock(&lock);
    at = offset;
    pthread_mutex_unlock(&lock);
    if (at < SIZE) {
        assert(at + 8 <= SIZE); // SAFE
        index = at >> 3;
        assert(index < SIZE / 8); // SAFE
        assert((at | 7) < SIZE); // SAFE
        assert(at + 16 <= SIZE); // UNSAFE!
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    return 0;
}
