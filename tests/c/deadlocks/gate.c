// ARGS: --properties deadlock
// Opposite orders behind a third lock, and after the other thread has ended, are harmless.
#include <pthread.h>

pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg) {
    pthread_mutex_lock(&gate); // SAFE
    pthread_mutex_lock(&a); // SAFE
    pthread_mutex_lock(&b); // SAFE
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&gate);
    pthread_mutex_lock(&b); // SAFE
    pthread_mutex_lock(&c); // UNSAFE!
    pthread_mutex_unlock(&c);
    pthread_mutex_unlock(&b);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_mutex_lock(&gate); // SAFE
    pthread_mutex_lock(&b); // SAFE
    pthread_mutex_lock(&a); // SAFE
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&gate);
    pthread_mutex_lock(&c); // SAFE
    pthread_mutex_lock(&b); // UNSAFE!
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&c);
    pthread_join(thread, 0);
    pthread_mutex_lock(&b); // SAFE
    pthread_mutex_lock(&a); // SAFE
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return 0;
}
