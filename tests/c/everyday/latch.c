// A latch: main waits until all workers have said that they are ready, then lets them go.
#include <assert.h>
#include <pthread.h>

#define WORKERS 3
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, go, config;

static void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    ready++;
    assert(ready <= WORKERS); // SAFE
    pthread_cond_broadcast(&changed);
    while (!go)
        pthread_cond_wait(&changed, &lock);
    assert(config == 7); // SAFE
    assert(ready == WORKERS); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&t[i], 0, worker, 0);
    pthread_mutex_lock(&lock);
    while (ready < WORKERS) {
        __goblint_check(ready == 0); // UNSAFE!
        pthread_cond_wait(&changed, &lock);
    }
    assert(ready == WORKERS); // SAFE
    config = 7;
    go = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(t[i], 0);
    assert(go == 1 && ready == WORKERS); // SAFE
    return 0;
}
