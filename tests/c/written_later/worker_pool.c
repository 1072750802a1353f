// A pool of workers that take numbered tasks from a shared counter; each task is done once, by whoever took it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define WORKERS 3
#define TASKS 10

static atomic_int next_task;
static int done[TASKS];
static atomic_int finished;
static int per_worker[WORKERS];

static void *worker(void *argument) {
    int me = (int)(long)argument;
    int mine = 0;
    for (;;) {
        int task = atomic_fetch_add(&next_task, 1);
        if (task >= TASKS)
            break;
        assert(task >= 0); // SAFE
        done[task]++;
        mine++;
        int count = atomic_fetch_add(&finished, 1) + 1;
        assert(count >= 1); // SAFE
        // Each task that is counted as finished was drawn before, and there are TASKS of them.
        assert(count <= TASKS); // UNKNOWN (a part of what is drawn is a bound of what is counted)
        assert(mine <= TASKS); // SAFE
    }
    per_worker[me] = mine;
    __goblint_check(atomic_load(&finished) == TASKS); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t workers[WORKERS];
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], 0, worker, (void *)i);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], 0);
    assert(atomic_load(&next_task) >= TASKS); // SAFE
    // Each worker draws exactly one number that is too large.
    assert(atomic_load(&next_task) == TASKS + WORKERS); // UNKNOWN (how many draw a number that is too large)
    assert(atomic_load(&finished) == TASKS); // UNKNOWN (how many draw a number that is too large)
    assert(per_worker[0] >= 0 && per_worker[0] <= TASKS); // SAFE
    __goblint_check(per_worker[0] > 0); // UNSAFE!
    return 0;
}
