// What a joined thread wrote is certain, though plain coarsening keeps the old value as well.
#include <pthread.h>
#include <assert.h>

int sum, partial;

void *work(void *unused) {
    partial = 3;
    sum = partial + 4;
    return 0;
}

int main(void) {
    pthread_t t;
    sum = 0;
    pthread_create(&t, 0, work, 0);
    assert(sum == 0); // UNSAFE!
    assert(sum <= 7); // SAFE
    pthread_join(t, 0);
    assert(sum == 7); // SAFE (needs refinement)
    sum = 1;
    assert(sum == 1); // SAFE
    return 0;
}
