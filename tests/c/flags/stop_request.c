// A worker runs until main asks it to stop; the stop flag only ever rises.
#include <pthread.h>
#include <assert.h>

volatile int stop;
int phase;

void *worker(void *unused) {
    phase = 1;
    while (!stop) {
        phase = 2;
        phase = 1;
    }
    assert(stop == 1); // SAFE
    assert(phase == 1); // SAFE
    phase = 3;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    assert(phase != 2); // UNSAFE!
    stop = 1;
    assert(stop == 1); // SAFE
    assert(phase <= 3); // SAFE
    pthread_join(t, 0);
    assert(phase == 3); // SAFE (needs refinement)
    return 0;
}
