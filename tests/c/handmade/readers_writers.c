// ARGS: --parameterized --entries reader,writer
// Readers are counted by hand under a lock; the writer waits for none to be there, and looks again without the lock.
#include <pthread.h>
#include <assert.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t quiet = PTHREAD_COND_INITIALIZER;
static int readers, value = 1;

void reader(void) {
    pthread_mutex_lock(&lock);
    if (readers < 100) readers++;
    assert(readers <= 100); // SAFE
    pthread_mutex_unlock(&lock);
    assert(value >= 1); // SAFE
    pthread_mutex_lock(&lock);
    if (readers > 0) readers--;
    assert(readers >= 0); // SAFE
    if (readers == 0) pthread_cond_broadcast(&quiet);
    pthread_mutex_unlock(&lock);
}

void writer(void) {
    pthread_mutex_lock(&lock);
    while (readers > 0) pthread_cond_wait(&quiet, &lock);
    assert(readers == 0); // SAFE
    value = value < 10 ? value + 1 : 1;
    assert(value <= 10); // SAFE
    pthread_mutex_unlock(&lock);
    assert(readers == 0); // UNSAFE!
}
