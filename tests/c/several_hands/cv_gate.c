// ARGS: --properties assertion,data-race
// A countdown latch: main waits until all workers have reported; then their work is seen.
#include <assert.h>
#include <pthread.h>

#define K 3
static int pending = K, work; // SAFE
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t zero = PTHREAD_COND_INITIALIZER;

static void *worker(void *unused) {
    pthread_mutex_lock(&m);
    work += 10;
    pthread_mutex_unlock(&m);

    pthread_mutex_lock(&m);
    assert(pending > 0); // SAFE
    pending--;
    if (pending == 0)
        pthread_cond_signal(&zero);
    assert(pending >= 0); // SAFE
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t[K];
    for (int i = 0; i < K; i++)
        pthread_create(&t[i], 0, worker, 0);
    pthread_mutex_lock(&m);
    while (pending > 0)
        pthread_cond_wait(&zero, &m);
    assert(pending == 0); // SAFE
    assert(work == 10 * K); // SAFE
    pthread_mutex_unlock(&m);
    for (int i = 0; i < K; i++)
        pthread_join(t[i], 0);
    assert(work == 30); // SAFE
    return 0;
}
