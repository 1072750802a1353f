// After a join the joined thread is silent; the other one is not.
#include <pthread.h>
#include <assert.h>

int cell, other;

void *short_lived(void *unused) {
    cell = 1;
    return 0;
}

void *long_lived(void *unused) {
    other = 1;
    return 0;
}

int main(void) {
    pthread_t s, l;
    pthread_create(&s, 0, short_lived, 0);
    pthread_create(&l, 0, long_lived, 0);
    cell = 4;
    assert(cell == 4); // UNSAFE!
    pthread_join(s, 0);
    cell = 5;
    assert(cell == 5); // SAFE
    other = 5;
    assert(other == 5); // UNSAFE!
    pthread_join(l, 0);
    other = 6;
    assert(other == 6); // SAFE
    return 0;
}
