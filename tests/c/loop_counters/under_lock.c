// A thread counts its rounds in two globals, each round in a critical section.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int rounds, events;

void *worker(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        rounds++;
        events += 1;
        assert(events <= rounds); // SAFE (needs octagon)
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_mutex_lock(&lock);
    assert(events == rounds); // SAFE (needs octagon)
    assert(events == 6); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}
