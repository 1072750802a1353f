// ARGS: --properties data-race
// A read whose value nobody uses is an access all the same.
#include <pthread.h>

volatile int seen;
int copied;
int kept; // SAFE
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *reader(void *arg) {
    seen; // UNSAFE!
    int local = copied; // UNSAFE!
    pthread_mutex_lock(&mutex);
    kept;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    seen = 1; // UNSAFE!
    copied = 1; // UNSAFE!
    pthread_mutex_lock(&mutex);
    kept = 1;
    pthread_mutex_unlock(&mutex);
    return 0;
}
