// ARGS: --properties deadlock
// A handler waits for what the thread has that it interrupts.
#include <pthread.h>
#include <signal.h>

pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
int value;

void count(int signal) {
    pthread_mutex_lock(&shared); // UNSAFE!
    value++;
    pthread_mutex_unlock(&shared);
}

int main(void) {
    signal(SIGUSR1, count);
    pthread_mutex_lock(&own); // SAFE
    value++;
    pthread_mutex_unlock(&own);
    pthread_mutex_lock(&shared); // SAFE
    raise(SIGUSR1);
    pthread_mutex_unlock(&shared);
    return value;
}
