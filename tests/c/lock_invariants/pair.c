// Two counters move together: equal whenever the lock is free, but not in between.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int sent, logged;

void *client(void *unused) {
    pthread_mutex_lock(&lock);
    assert(sent == logged); // SAFE (needs octagon)
    sent++;
    assert(sent == logged + 1); // SAFE (needs octagon)
    logged++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, client, 0);
    pthread_mutex_lock(&lock);
    assert(sent == logged); // SAFE (needs octagon)
    pthread_mutex_unlock(&lock);
    assert(sent == logged); // UNSAFE!
    return 0;
}
