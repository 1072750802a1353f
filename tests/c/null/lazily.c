// ARGS: --properties null-dereference
// Lazy initialisation under a lock, and without one.
#include <pthread.h>

struct config {
    int level;
};

struct config defaults;
struct config *config;
struct config *quick;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

struct config *get(void) {
    pthread_mutex_lock(&mutex);
    if (config == 0) {
        config = &defaults;
    }
    struct config *found = config;
    pthread_mutex_unlock(&mutex);
    return found;
}

void *worker(void *arg) {
    quick = &defaults;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    struct config *mine = get();
    if (mine != 0) {
        mine->level = 1; // SAFE
    }
    quick->level = 2; // UNSAFE!
    return 0;
}
