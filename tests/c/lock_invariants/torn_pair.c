// The second counter is brought up to date in a section of its own, so others see them apart.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int sent, logged;

void *client(void *unused) {
    pthread_mutex_lock(&lock);
    sent++;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    logged++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, client, 0);
    pthread_mutex_lock(&lock);
    assert(logged >= 0); // SAFE
    assert(sent >= logged); // SAFE
    assert(sent == logged); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}
