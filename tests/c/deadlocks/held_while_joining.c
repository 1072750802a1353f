// ARGS: --properties deadlock
// Waiting for the end of a thread that waits for a lock.
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
int count;

void *worker(void *arg) {
    pthread_mutex_lock(&mutex); // UNSAFE!
    count = count + 1;
    pthread_mutex_unlock(&mutex);
    return 0;
}

void *helper(void *arg) {
    pthread_mutex_lock(&other); // SAFE
    pthread_mutex_unlock(&other);
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, helper, 0);
    pthread_mutex_lock(&other); // SAFE
    pthread_mutex_unlock(&other);
    pthread_join(two, 0); // SAFE
    pthread_mutex_lock(&mutex); // SAFE
    pthread_join(one, 0); // UNSAFE!
    pthread_mutex_lock(&mutex); // UNSAFE!
    return count;
}
