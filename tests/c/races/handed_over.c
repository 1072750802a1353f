// ARGS: --properties data-race
// A flag under a lock hands data over; a volatile flag does not synchronise.
#include <pthread.h>

int data; // SAFE
int ready; // SAFE
volatile int signal_flag;
int loose; // SAFE
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *producer(void *arg) {
    data = 42;
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_mutex_unlock(&mutex);
    loose = 1;
    signal_flag = 1; // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, producer, 0);
    pthread_mutex_lock(&mutex);
    int seen = ready;
    pthread_mutex_unlock(&mutex);
    if (seen) {
        data = data + 1;
    }
    if (signal_flag) { // UNSAFE!
        loose = 2;
    }
    pthread_join(thread, 0);
    return data;
}
