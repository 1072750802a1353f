// A thread that starts another one; main does not wait for the grandchild.
#include <pthread.h>
#include <assert.h>

int stage, noise;

void *child(void *unused) {
    noise = 1;
    return 0;
}

void *parent(void *unused) {
    pthread_t c;
    noise = 2;
    assert(noise == 2); // SAFE
    stage = 1;
    assert(stage == 1); // SAFE
    pthread_create(&c, 0, child, 0);
    noise = 2;
    assert(noise == 2); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t p;
    pthread_create(&p, 0, parent, 0);
    pthread_join(p, 0);
    noise = 3;
    assert(noise == 3); // UNSAFE!
    assert(noise >= 1); // SAFE
    stage = 4;
    assert(stage == 4); // SAFE
    return 0;
}
