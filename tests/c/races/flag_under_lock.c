// ARGS: --properties data-race
// A flag that was copied under a lock tells of what was written before it, as long as the lock is held.
#include <pthread.h>
#include <unistd.h>

int data; // SAFE
int early;
int ready; // SAFE
int looked;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *producer(void *arg) {
    data = 42;
    early = 1; // UNSAFE!
    usleep(100);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, producer, 0);
    pthread_mutex_lock(&mutex);
    int seen = ready;
    looked = 1;
    if (seen) {
        data = data + 1;
    } else {
        early = 2; // UNSAFE!
    }
    pthread_mutex_unlock(&mutex);
    return 0;
}
