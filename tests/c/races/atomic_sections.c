// ARGS: --properties data-race
// Atomic sections exclude each other, but not a plain access.
#include <pthread.h>

int total; // SAFE
int loose;

void *worker(void *arg) {
    __VERIFIER_atomic_begin();
    total = total + 1;
    loose = loose + 1; // UNSAFE!
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    loose = 5; // UNSAFE!
    __VERIFIER_atomic_begin();
    total = total + 2;
    __VERIFIER_atomic_end();
    pthread_join(thread, 0);
    total = 0;
    return 0;
}
