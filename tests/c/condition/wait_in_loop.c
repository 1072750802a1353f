// Waiting in a loop re-tests the condition; waiting once does not (spurious and stolen wake-ups).
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
int ready;

void *careful(void *unused) {
    pthread_mutex_lock(&lock);
    while (ready == 0) pthread_cond_wait(&filled, &lock);
    assert(ready == 1); // SAFE
    ready = 0;
    pthread_mutex_unlock(&lock);
    return 0;
}

void *careless(void *unused) {
    pthread_mutex_lock(&lock);
    if (ready == 0) pthread_cond_wait(&filled, &lock);
    assert(ready == 1); // UNSAFE!
    ready = 0;
    pthread_mutex_unlock(&lock);
    return 0;
}

void *filler(void *unused) {
    pthread_mutex_lock(&lock);
    ready = 1;
    assert(ready == 1); // SAFE
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, careful, 0);
    pthread_create(&b, 0, careless, 0);
    pthread_create(&c, 0, filler, 0);
    pthread_join(c, 0);
    assert(ready >= 0); // SAFE
    return 0;
}
