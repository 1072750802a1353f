// The phase of a start-up only goes on: who has seen a phase never sees an earlier one. Workers draw numbers besides.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { CREATED, LOADED, RUNNING };
static atomic_int phase;
static atomic_long drawn;

static void *starter(void *unused) {
    phase = LOADED;
    atomic_fetch_add(&drawn, 1);
    phase = RUNNING;
    return 0;
}

static void *worker(void *unused) {
    int seen = phase;
    long mine = atomic_fetch_add(&drawn, 1);
    int now = phase;
    assert(now >= seen); // SAFE
    assert(atomic_load(&drawn) > mine); // SAFE
    if (seen == LOADED)
        assert(now == LOADED); // UNSAFE!
    if (seen == RUNNING)
        assert(now == RUNNING); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, starter, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_create(&c, 0, worker, 0);
    return 0;
}
