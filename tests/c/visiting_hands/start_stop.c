// ARGS: --properties assertion
// A service that is started and stopped in two phases; workers run in between only.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define WORKERS 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static bool started, stopping;
static int ready, active, left;
static int config;

static void *worker(void *arg) {
    pthread_mutex_lock(&lock);
    ready++;
    assert(ready <= WORKERS); // SAFE
    pthread_cond_broadcast(&cond);
    while (!started)
        pthread_cond_wait(&cond, &lock);
    assert(config == 7); // SAFE
    assert(ready == WORKERS); // SAFE
    active++;
    while (!stopping) {
        assert(started); // SAFE
        pthread_cond_wait(&cond, &lock);
    }
    assert(active > 0); // SAFE
    active--;
    left++;
    assert(left <= ready); // SAFE
    assert(active + left <= WORKERS); // SAFE
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t t[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&t[i], 0, worker, 0);
    pthread_mutex_lock(&lock);
    while (ready < WORKERS)
        pthread_cond_wait(&cond, &lock);
    assert(active == 0); // SAFE
    config = 7;
    started = true;
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&lock);

    pthread_mutex_lock(&lock);
    assert(left == 0); // SAFE
    stopping = true;
    pthread_cond_broadcast(&cond);
    while (left < WORKERS)
        pthread_cond_wait(&cond, &lock);
    assert(active == 0); // SAFE
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(t[i], 0);
    assert(ready == WORKERS); // SAFE
    assert(left == WORKERS); // SAFE
    assert(active == 1); // UNSAFE!
    return 0;
}
