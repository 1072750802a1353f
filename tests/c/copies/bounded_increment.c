// The test is made on a copy; under the lock the copy is as good as the counter.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int used;

void *client(void *unused) {
    int i, before;
    for (i = 0; i < 8; i++) {
        pthread_mutex_lock(&lock);
        before = used;
        if (before < 3)
            used++;
        assert(used <= 3); // SAFE
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, client, 0);
    pthread_mutex_lock(&lock);
    assert(0 <= used && used <= 3); // SAFE
    assert(used < 3); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}
