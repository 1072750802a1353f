// ARGS: --properties assertion,overflow
// Threads add up their parts, meet at a barrier, and read the total; the one that the barrier names writes it down.
#include <assert.h>
#include <pthread.h>

#define THREADS 3
static pthread_barrier_t added, written;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total, ready, mean = -1;

static void *adder(void *argument) {
    int part = *(int *)argument;
    pthread_mutex_lock(&lock);
    total += part; // SAFE
    ready++; // SAFE
    __goblint_check(ready == THREADS); // UNSAFE!
    pthread_mutex_unlock(&lock);
    int named = pthread_barrier_wait(&added);
    assert(ready == THREADS); // SAFE
    assert(total == 60); // SAFE
    if (named == PTHREAD_BARRIER_SERIAL_THREAD) {
        assert(mean == -1); // SAFE
        mean = total / THREADS;
    }
    __goblint_check(mean == 20); // UNSAFE!
    pthread_barrier_wait(&written);
    assert(mean == 20); // UNKNOWN (that a barrier names one of its threads)
    return 0;
}

int main(void) {
    pthread_t t[THREADS];
    static int part[THREADS] = {10, 20, 30};
    pthread_barrier_init(&added, 0, THREADS);
    pthread_barrier_init(&written, 0, THREADS);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, adder, &part[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    assert(total == 60 && ready == THREADS); // SAFE
    assert(mean == 20); // UNKNOWN (that a barrier names one of its threads)
    return 0;
}
