// A pool of four workers takes jobs from a counter under a lock; one worker peeks without it.
#include <pthread.h>
#include <assert.h>

#define JOBS 12
#define WORKERS 4
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next_job, finished;

static void *worker(void *unused) {
    while (1) {
        int job;
        pthread_mutex_lock(&lock);
        job = next_job;
        if (job < JOBS) next_job = job + 1;
        pthread_mutex_unlock(&lock);
        if (job >= JOBS) break;
        assert(job >= 0); // SAFE
        assert(job < JOBS); // SAFE
        pthread_mutex_lock(&lock);
        if (finished < JOBS) finished++;
        assert(finished <= next_job); // SAFE
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t pool[WORKERS];
    for (int i = 0; i < WORKERS; i++) pthread_create(&pool[i], 0, worker, 0);
    pthread_mutex_lock(&lock);
    assert(next_job <= JOBS); // SAFE
    assert(finished <= JOBS); // SAFE
    assert(finished == next_job); // UNSAFE!
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < WORKERS; i++) pthread_join(pool[i], 0);
    assert(finished == JOBS); // UNKNOWN (what the last of several workers did)
    return 0;
}
