// ARGS: --properties data-race
// A pointer of which it is not known where it leads may mean whatever has its address taken, but nothing else.
#include <pthread.h>
#include <stdint.h>

int hidden; // SAFE
int exposed;
uintptr_t token;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused) {
    pthread_mutex_lock(&mutex);
    int *where = (int *)(token ^ 5);
    pthread_mutex_unlock(&mutex);
    *where = 1; // UNSAFE!
    pthread_mutex_lock(&mutex);
    hidden = hidden + 1;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    token = (uintptr_t)&exposed ^ 5;
    pthread_create(&thread, 0, worker, 0);
    exposed = 2; // UNSAFE!
    pthread_mutex_lock(&mutex);
    hidden = hidden + 2;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return exposed;
}
