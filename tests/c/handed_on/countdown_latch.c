// ARGS: --properties assertion,overflow
// A latch that workers count down: who waits for it finds all results, and it stays open.
#include <assert.h>
#include <pthread.h>

#define WORKERS 3
struct latch {
    pthread_mutex_t lock;
    pthread_cond_t opened;
    int count;
};
static struct latch done = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, WORKERS};
static int result[WORKERS];

static void count_down(struct latch *l) {
    pthread_mutex_lock(&l->lock);
    assert(l->count > 0); // SAFE
    l->count--; // SAFE
    if (l->count == 0)
        pthread_cond_broadcast(&l->opened);
    pthread_mutex_unlock(&l->lock);
}

static void await(struct latch *l) {
    pthread_mutex_lock(&l->lock);
    while (l->count > 0)
        pthread_cond_wait(&l->opened, &l->lock);
    assert(l->count == 0); // SAFE
    pthread_mutex_unlock(&l->lock);
}

static void *worker(void *argument) {
    int me = *(int *)argument;
    int other = 2 - me, wanted = 12 - me; // SAFE
    result[me] = 10 + me;
    count_down(&done);
    __goblint_check(result[other] == wanted); // UNSAFE!
    return 0;
}

static void *reporter(void *unused) {
    await(&done);
    assert(result[0] == 10); // SAFE
    assert(result[1] == 11 && result[2] == 12); // SAFE
    return 0;
}

int main(void) {
    pthread_t w[WORKERS], r;
    static int number[WORKERS] = {0, 1, 2};
    pthread_create(&r, 0, reporter, 0);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&w[i], 0, worker, &number[i]);
    __goblint_check(done.count == 0); // UNSAFE!
    await(&done);
    assert(result[0] + result[1] + result[2] == 33); // SAFE
    pthread_mutex_lock(&done.lock);
    assert(done.count == 0); // SAFE
    pthread_mutex_unlock(&done.lock);
    pthread_join(r, 0);
    return 0;
}
