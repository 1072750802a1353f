// What is stored never exceeds what came in; it is exactly the difference.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int stored, produced, consumed;

void *producer(void *unused) {
    pthread_mutex_lock(&lock);
    produced++;
    stored++;
    pthread_mutex_unlock(&lock);
    return 0;
}

void *consumer(void *unused) {
    pthread_mutex_lock(&lock);
    if (stored > 0) {
        stored--;
        consumed++;
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 2; i++) {
        pthread_create(&thread, 0, producer, 0);
        pthread_create(&thread, 0, consumer, 0);
    }
    pthread_mutex_lock(&lock);
    assert(stored == produced - consumed); // SAFE (needs octagon)
    assert(0 <= stored && stored <= produced); // SAFE (needs octagon)
    assert(stored == produced); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}
