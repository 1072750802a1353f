// Two phases with a barrier in between: each thread fills its part, then all read the whole.
#include <assert.h>
#include <pthread.h>

#define THREADS 2

static int parts[THREADS];
static int totals[THREADS];
static pthread_barrier_t barrier;

static void *first(void *unused) {
    parts[0] = 3;
    pthread_barrier_wait(&barrier);
    assert(parts[0] == 3); // SAFE
    assert(parts[1] == 4); // SAFE
    totals[0] = parts[0] + parts[1];
    pthread_barrier_wait(&barrier);
    parts[0] = 0;
    return 0;
}

static void *second(void *unused) {
    __goblint_check(parts[0] == 0); // UNSAFE!
    parts[1] = 4;
    pthread_barrier_wait(&barrier);
    totals[1] = parts[0] + parts[1];
    assert(totals[1] == 7); // SAFE
    pthread_barrier_wait(&barrier);
    __goblint_check(parts[0] == 3); // UNSAFE!
    assert(totals[0] == totals[1]); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&barrier, 0, THREADS);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_barrier_destroy(&barrier);
    assert(totals[0] == 7 && totals[1] == 7); // SAFE
    assert(parts[0] == 0); // SAFE
    return 0;
}
