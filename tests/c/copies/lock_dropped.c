// Between the copy and the increment the lock is dropped, so the copy is stale.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int used;

void *client(void *unused) {
    int before;
    pthread_mutex_lock(&lock);
    before = used;
    pthread_mutex_unlock(&lock);
    if (before < 1) {
        pthread_mutex_lock(&lock);
        used++;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    int now;
    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, client, 0);
    pthread_mutex_lock(&lock);
    now = used;
    assert(now == used); // SAFE
    assert(used <= 1); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}
