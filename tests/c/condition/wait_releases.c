// Waiting gives the lock away: nothing written before the wait is certain after it.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int mode, go;

void *waiter(void *unused) {
    pthread_mutex_lock(&lock);
    mode = 1;
    assert(mode == 1); // SAFE
    while (!go) pthread_cond_wait(&changed, &lock);
    assert(mode == 1); // UNSAFE!
    assert(go == 1); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, waiter, 0);
    pthread_mutex_lock(&lock);
    mode = 2;
    go = 1;
    assert(mode == 2); // SAFE
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(t, 0);
    return 0;
}
