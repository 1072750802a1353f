// ARGS: --properties null-dereference
// Test and use of a shared pointer are two reads; a copy is tested once.
#include <pthread.h>

int cell;
int *shared = &cell;

void *resetter(void *arg) {
    shared = 0;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, resetter, 0);
    if (shared != 0) {
        *shared = 1; // UNSAFE!
    }
    int *copy = shared;
    if (copy != 0) {
        *copy = 2; // SAFE
    }
    return 0;
}
