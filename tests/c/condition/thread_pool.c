// A pool of workers that take numbered jobs from a shared queue until it is closed.
#include <pthread.h>
#include <assert.h>
#include <stdbool.h>

#define WORKERS 3
#define JOBS 6
struct job { int input; int output; bool done; };
static struct {
    pthread_mutex_t guard;
    pthread_cond_t ready;
    struct job jobs[JOBS];
    int next, last;
    bool closed;
} pool = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER };

static void *work(void *unused) {
    for (;;) {
        pthread_mutex_lock(&pool.guard);
        while (pool.next == pool.last && !pool.closed) pthread_cond_wait(&pool.ready, &pool.guard);
        if (pool.next == pool.last) {
            assert(pool.closed); // SAFE (needs octagon)
            pthread_mutex_unlock(&pool.guard);
            return 0;
        }
        int mine = pool.next;
        pool.next++;
        assert(mine >= 0 && mine < JOBS); // SAFE
        pthread_mutex_unlock(&pool.guard);
        pool.jobs[mine].output = pool.jobs[mine].input + 1;
        pool.jobs[mine].done = true;
    }
}

static void submit(int value) {
    pthread_mutex_lock(&pool.guard);
    assert(pool.last < JOBS); // SAFE
    pool.jobs[pool.last].input = value;
    pool.last++;
    pthread_cond_signal(&pool.ready);
    pthread_mutex_unlock(&pool.guard);
}

int main(void) {
    pthread_t workers[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        if (pthread_create(&workers[i], 0, work, 0) != 0) return 1;
    for (int i = 0; i < JOBS; i++) submit(10 + i);
    pthread_mutex_lock(&pool.guard);
    pool.closed = true;
    pthread_cond_broadcast(&pool.ready);
    pthread_mutex_unlock(&pool.guard);
    for (int i = 0; i < WORKERS; i++) pthread_join(workers[i], 0);
    for (int i = 0; i < JOBS; i++)
        if (pool.jobs[i].done) assert(pool.jobs[i].output >= 0 && pool.jobs[i].output <= 16); // SAFE
    assert(pool.last == JOBS); // SAFE
    assert(pool.next <= 5); // UNSAFE!
    return 0;
}
