// ARGS: --properties data-race
// The members of a union share their memory.
#include <pthread.h>

union number {
    int whole;
    float part;
};

union number value;
union number kept; // SAFE
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg) {
    value.whole = 1; // UNSAFE!
    pthread_mutex_lock(&mutex);
    kept.whole = 1;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    value.part = 1.0f; // UNSAFE!
    pthread_mutex_lock(&mutex);
    kept.part = 2.0f;
    pthread_mutex_unlock(&mutex);
    return 0;
}
