// A pool of workers takes jobs by index from a shared counter until there are none left.
#include <assert.h>
#include <pthread.h>

#define JOBS 20
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next_job, done_jobs;
static int results[JOBS];

static int take(void) {
    int job = -1;
    pthread_mutex_lock(&lock);
    if (next_job < JOBS)
        job = next_job++;
    assert(next_job <= JOBS); // SAFE
    pthread_mutex_unlock(&lock);
    return job;
}

static void *worker(void *unused) {
    int job;
    while ((job = take()) >= 0) {
        assert(job < JOBS); // SAFE
        results[job] = 2 * job;
        pthread_mutex_lock(&lock);
        done_jobs++;
        assert(done_jobs <= next_job); // SAFE
        __goblint_check(done_jobs == next_job); // UNSAFE!
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(next_job == JOBS); // SAFE
    assert(done_jobs == JOBS); // SAFE
    return 0;
}
