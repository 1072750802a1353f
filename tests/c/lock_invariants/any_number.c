// ARGS: --parameterized --entries worker,observer
// Any number of threads: jobs that are done have been begun.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int begun, done;

void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    begun++;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    if (done < begun)
        done++;
    pthread_mutex_unlock(&lock);
    return 0;
}

void *observer(void *unused) {
    pthread_mutex_lock(&lock);
    assert(done <= begun); // SAFE (needs octagon)
    assert(done >= begun); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}
