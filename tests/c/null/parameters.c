// ARGS: --properties null-dereference
// What a thread is given.
#include <pthread.h>

int value;

void *good(void *arg) {
    int *pointer;
    pointer = arg;
    *pointer = 1; // SAFE
    return 0;
}

void *bad(void *arg) {
    int *pointer = arg;
    *pointer = 2; // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, good, &value);
    pthread_create(&two, 0, bad, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
