// A result is published by a flag: one writer sets the flag after the data, the other one before it.
#include <pthread.h>
#include <assert.h>

int good_data, good_ready;
int bad_data, bad_ready;

void *publisher(void *unused) {
    good_data = 5;
    good_ready = 1;
    bad_ready = 1;
    bad_data = 5;
    return 0;
}

void *subscriber(void *unused) {
    while (!good_ready) ;
    assert(good_ready == 1); // SAFE
    assert(good_data == 5); // SAFE (needs refinement)
    while (!bad_ready) ;
    assert(bad_data == 5); // UNSAFE!
    assert(bad_data >= 0); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, publisher, 0);
    pthread_create(&b, 0, subscriber, 0);
    pthread_join(b, 0);
    return 0;
}
