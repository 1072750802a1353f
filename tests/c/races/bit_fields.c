// ARGS: --properties data-race
// Bit-fields in a row are one memory location; other members, and elements of an array, are locations of their own.
#include <pthread.h>

struct flags {
    unsigned ready : 1;
    unsigned done : 1;
    int count;
    int limit;
};

struct flags state;
int slots[2];
int shared; // SAFE
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg) {
    state.ready = 1; // UNSAFE!
    state.count = 1;
    slots[0] = 1;
    pthread_mutex_lock(&mutex);
    shared = slots[0];
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    state.done = 1; // UNSAFE!
    state.limit = 1;
    slots[1] = 1;
    pthread_mutex_lock(&mutex);
    shared = slots[1];
    pthread_mutex_unlock(&mutex);
    return 0;
}
