// Incrementing without a lock loses updates.
#include <pthread.h>
#include <assert.h>

int hits;

void *hit(void *unused) {
    hits = hits + 1;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, hit, 0);
    pthread_create(&b, 0, hit, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(hits >= 0); // SAFE
    assert(hits >= 1); // SAFE (needs refinement)
    assert(hits <= 2); // UNKNOWN (needs counting)
    assert(hits == 2); // UNSAFE!
    return 0;
}
