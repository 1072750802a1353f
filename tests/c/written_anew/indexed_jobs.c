// ARGS: --properties assertion,array-bounds,data-race
// Workers draw indexes of jobs from an atomic counter, each writes its own place of the results.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define JOBS 6
static atomic_int next_job, completed;
static int result[JOBS]; // UNKNOWN (numbers that are drawn are different)

static void *worker(void *unused) {
    int mine = 0;
    for (;;) {
        int job = atomic_fetch_add(&next_job, 1);
        if (job >= JOBS)
            break;
        assert(job >= 0); // SAFE
        result[job] = job + 1; // UNKNOWN (numbers that are drawn are different)
        mine++;
        atomic_fetch_add(&completed, 1);
    }
    assert(atomic_load(&completed) >= mine); // SAFE
    assert(mine <= JOBS); // SAFE
    assert(atomic_load(&next_job) > JOBS); // SAFE
    __goblint_check(atomic_load(&completed) == JOBS); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(atomic_load(&next_job) == JOBS + 2); // UNKNOWN (how many draw a number that is too large)
    assert(atomic_load(&completed) == JOBS); // UNKNOWN (how many draw a number that is too large)
    assert(result[0] == 1); // UNKNOWN (that each number was drawn)
    return 0;
}
