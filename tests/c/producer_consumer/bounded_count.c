// The fill level of a queue stays within its bounds under the lock, not without it.
#include <pthread.h>
#include <assert.h>

enum { CAPACITY = 4 };
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int level;
int careless;

void *producer(void *unused) {
    while (1) {
        pthread_mutex_lock(&lock);
        if (level < CAPACITY) level = level + 1;
        assert(level <= CAPACITY); // SAFE
        pthread_mutex_unlock(&lock);
        if (careless < 1) careless = careless + 1;
    }
    return 0;
}

void *consumer(void *unused) {
    while (1) {
        pthread_mutex_lock(&lock);
        if (level > 0) level = level - 1;
        assert(level >= 0); // SAFE
        pthread_mutex_unlock(&lock);
        if (careless > 0) careless = careless - 1;
        assert(careless >= 0); // UNSAFE!
    }
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_join(a, 0);
    return 0;
}
