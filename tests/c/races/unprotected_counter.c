// ARGS: --properties data-race
// Two threads count without a lock; another counter is protected.
#include <pthread.h>

int bare;
int guarded; // SAFE
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg) {
    bare = bare + 1; // UNSAFE!
    pthread_mutex_lock(&mutex);
    guarded = guarded + 1;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return bare + guarded;
}
