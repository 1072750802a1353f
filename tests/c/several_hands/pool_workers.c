// ARGS: --properties assertion,array-bounds,data-race
// A pool of workers that take jobs from a bounded queue until it is shut down.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define QUEUE_SIZE 16
#define WORKERS 3

typedef struct {
    int job[QUEUE_SIZE];
    int head, tail, count;
    bool shutdown;
    pthread_mutex_t lock;
    pthread_cond_t not_empty, not_full;
} pool_t;

static pool_t pool = {.lock = PTHREAD_MUTEX_INITIALIZER,
                      .not_empty = PTHREAD_COND_INITIALIZER,
                      .not_full = PTHREAD_COND_INITIALIZER};
static int submitted, completed;

static bool submit(int job) {
    pthread_mutex_lock(&pool.lock);
    while (pool.count == QUEUE_SIZE && !pool.shutdown)
        pthread_cond_wait(&pool.not_full, &pool.lock);
    if (pool.shutdown) {
        pthread_mutex_unlock(&pool.lock);
        return false;
    }
    assert(pool.count < QUEUE_SIZE); // SAFE
    pool.job[pool.tail] = job; // SAFE
    pool.tail = (pool.tail + 1) % QUEUE_SIZE;
    pool.count++;
    submitted++;
    assert(pool.count > 0); // SAFE
    pthread_cond_signal(&pool.not_empty);
    pthread_mutex_unlock(&pool.lock);
    return true;
}

static void *worker(void *unused) {
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&pool.lock);
        while (pool.count == 0 && !pool.shutdown)
            pthread_cond_wait(&pool.not_empty, &pool.lock);
        if (pool.count == 0) {
            assert(pool.shutdown); // SAFE
            pthread_mutex_unlock(&pool.lock);
            return NULL;
        }
        int job = pool.job[pool.head]; // SAFE
        pool.head = (pool.head + 1) % QUEUE_SIZE;
        pool.count--;
        completed++;
        assert(job >= 0 && job < 40); // SAFE
        assert(completed + pool.count == submitted); // SAFE
        pthread_cond_signal(&pool.not_full);
        pthread_mutex_unlock(&pool.lock);
    }
}

int main(void) {
    pthread_t t[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        if (pthread_create(&t[i], NULL, worker, NULL) != 0)
            return 1;
    for (int i = 0; i < 40; i++) {
        bool ok = submit(i);
        assert(ok); // SAFE
    }
    pthread_mutex_lock(&pool.lock);
    pool.shutdown = true;
    pthread_cond_broadcast(&pool.not_empty);
    pthread_mutex_unlock(&pool.lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(t[i], NULL);
    assert(pool.count == 0); // SAFE
    assert(submitted == 40); // SAFE
    assert(completed == submitted); // SAFE
    return 0;
}
