// ARGS: --properties null-dereference
// A pointer that another thread publishes may still be null; under a lock it is seen together with its flag.
#include <pthread.h>

int cell;
int *published;
int *guarded;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *publisher(void *arg) {
    published = &cell;
    pthread_mutex_lock(&mutex);
    guarded = &cell;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, publisher, 0);
    *published = 1; // UNSAFE!
    pthread_mutex_lock(&mutex);
    if (guarded != 0) {
        *guarded = 2; // SAFE
    }
    pthread_mutex_unlock(&mutex);
    return 0;
}
