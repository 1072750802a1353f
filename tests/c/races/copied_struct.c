// ARGS: --properties data-race
// Copying a struct reads all of it, also what is not tracked.
#include <pthread.h>

struct point {
    int x;
    double weight;
};

struct point origin;
struct point safe; // SAFE
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *reader(void *arg) {
    struct point local = origin; // UNSAFE!
    pthread_mutex_lock(&mutex);
    local = safe;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    struct point zero = {0, 0.0};
    pthread_create(&thread, 0, reader, 0);
    origin.weight = 1.0; // UNSAFE!
    pthread_mutex_lock(&mutex);
    safe = zero;
    pthread_mutex_unlock(&mutex);
    return 0;
}
