// ARGS: --properties assertion,data-race
// Of the threads at a barrier, one is told to be the serial one: it alone sums up.
#include <assert.h>
#include <pthread.h>

#define T 3
static pthread_barrier_t bar;
static int parts[T];
static int sum;
static int serial_runs;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *phase(void *arg) {
    int id = *(int *)arg;
    parts[id] = 10 + id;
    int rc = pthread_barrier_wait(&bar);
    assert(rc == 0 || rc == PTHREAD_BARRIER_SERIAL_THREAD); // SAFE
    if (rc == PTHREAD_BARRIER_SERIAL_THREAD) {
        sum = parts[0] + parts[1] + parts[2];
        pthread_mutex_lock(&m);
        serial_runs++;
        pthread_mutex_unlock(&m);
    }
    pthread_barrier_wait(&bar);
    assert(sum == 33); // UNKNOWN (that a barrier names one of its threads)
    assert(parts[id] == 10 + id); // SAFE
    return 0;
}

int main(void) {
    pthread_t t[T];
    int ids[T];
    pthread_barrier_init(&bar, 0, T);
    for (int i = 0; i < T; i++) {
        ids[i] = i;
        pthread_create(&t[i], 0, phase, &ids[i]);
    }
    for (int i = 0; i < T; i++)
        pthread_join(t[i], 0);
    assert(serial_runs == 1); // UNKNOWN (that a barrier names one of its threads)
    assert(serial_runs <= 3); // SAFE
    assert(sum == 33); // SAFE
    return 0;
}
