// Loops of a few hundred rounds with a body of two cases: how often one was met is known behind them.
#include <assert.h>
#include <pthread.h>

#define SAMPLES 200
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int evens, ready;

static void *count(void *unused) {
    int local = 0;
    for (int i = 0; i < SAMPLES; i++)
        if (i % 2 == 0)
            local++;
    assert(local == SAMPLES / 2); // SAFE
    pthread_mutex_lock(&lock);
    evens = local;
    ready = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, count, 0);
    pthread_mutex_lock(&lock);
    if (ready)
        assert(evens == 100); // SAFE
    pthread_mutex_unlock(&lock);
    pthread_join(t, 0);
    assert(evens == 99); // UNSAFE!
    return 0;
}
