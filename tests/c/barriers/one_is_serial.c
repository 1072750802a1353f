// Exactly one thread of each round is the serial one; which one is not said.
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

pthread_barrier_t meeting;
int mine, yours;

void *me(void *unused) {
    if (pthread_barrier_wait(&meeting) == PTHREAD_BARRIER_SERIAL_THREAD) mine = 1;
    assert(mine == 0); // UNSAFE!
    assert(mine == 1 || yours <= 1); // SAFE
    return 0;
}

void *you(void *unused) {
    int result = pthread_barrier_wait(&meeting);
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD); // SAFE
    if (result == PTHREAD_BARRIER_SERIAL_THREAD) {
        yours = 1;
        assert(mine == 0); // SAFE (needs refinement)
    }
    assert(result == 0); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&meeting, 0, 2);
    if (pthread_create(&a, 0, me, 0)) exit(1);
    if (pthread_create(&b, 0, you, 0)) exit(1);
    return 0;
}
