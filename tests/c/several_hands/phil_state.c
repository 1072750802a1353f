// ARGS: --properties assertion,data-race,deadlock,array-bounds
// Philosophers with states under one monitor: no two neighbours eat.
#include <assert.h>
#include <pthread.h>

#define N 3
enum { THINKING, HUNGRY, EATING };
static int state[N]; // SAFE
static pthread_mutex_t mon = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t can[N] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};

static int left(int i) { return (i + N - 1) % N; }
static int right(int i) { return (i + 1) % N; }

static void test(int i) {
    if (state[i] == HUNGRY && state[left(i)] != EATING && state[right(i)] != EATING) {
        state[i] = EATING;
        pthread_cond_signal(&can[i]);
    }
}

static void take(int i) {
    pthread_mutex_lock(&mon);
    state[i] = HUNGRY;
    test(i);
    while (state[i] != EATING)
        pthread_cond_wait(&can[i], &mon);
    assert(state[i] == EATING); // SAFE
    assert(state[left(i)] != EATING); // SAFE
    pthread_mutex_unlock(&mon);
}

static void put(int i) {
    pthread_mutex_lock(&mon);
    assert(state[i] == EATING); // SAFE
    state[i] = THINKING;
    test(left(i));
    test(right(i));
    pthread_mutex_unlock(&mon);
}

static void *philosopher(void *p) {
    int i = (int)(long)p;
    for (int k = 0; k < 2; k++) {
        take(i);
        put(i);
    }
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, philosopher, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    for (int i = 0; i < N; i++)
        assert(state[i] == THINKING); // SAFE
    return 0;
}
