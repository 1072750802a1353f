// A barrier that is destroyed lets everybody pass; one that is there does not.
#include <assert.h>
#include <pthread.h>

pthread_barrier_t gone, there;
int first_half, second_half;

void *worker(void *unused) {
    first_half = 1;
    pthread_barrier_wait(&there);
    second_half = 1;
    pthread_barrier_wait(&gone);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&gone, 0, 2);
    pthread_barrier_init(&there, 0, 2);
    pthread_create(&thread, 0, worker, 0);
    pthread_barrier_wait(&there);
    assert(first_half == 1); // SAFE
    pthread_barrier_destroy(&gone);
    pthread_barrier_wait(&gone);
    assert(second_half == 1); // UNSAFE! (undefined: a destroyed barrier is used)
    pthread_join(thread, 0);
    pthread_barrier_destroy(&there);
    return 0;
}
