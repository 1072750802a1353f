// The same table without const, changed by a thread: its initialiser no longer tells.
#include <pthread.h>
#include <assert.h>

int gains[3] = {1, 2, 3};
int untouched[3] = {1, 2, 3};

void *tune(void *unused) {
    gains[1] = 50;
    return 0;
}

int main(void) {
    pthread_t t;
    int i;
    pthread_create(&t, 0, tune, 0);
    for (i = 0; i < 3; i++) {
        assert(gains[i] >= 1); // SAFE
        assert(gains[i] <= 3); // UNSAFE!
        assert(untouched[i] <= 3); // SAFE
    }
    return 0;
}
