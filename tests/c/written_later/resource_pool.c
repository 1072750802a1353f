// A pool of handles in use or free, as two counts and a high-water mark; who finds none free waits.
#include <assert.h>
#include <pthread.h>

#define SIZE 3

struct pool { pthread_mutex_t lock; pthread_cond_t freed; int in_use, available, peak; };
static struct pool pool = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, SIZE, 0};

static void acquire(struct pool *p, int n) {
    pthread_mutex_lock(&p->lock);
    while (p->available < n)
        pthread_cond_wait(&p->freed, &p->lock);
    p->available -= n;
    p->in_use += n;
    if (p->in_use > p->peak)
        p->peak = p->in_use;
    assert(p->available >= 0); // SAFE
    assert(p->in_use + p->available == SIZE); // SAFE
    assert(p->in_use <= SIZE); // SAFE
    assert(p->peak >= p->in_use && p->peak <= SIZE); // SAFE
    pthread_mutex_unlock(&p->lock);
}

static void give_back(struct pool *p, int n) {
    pthread_mutex_lock(&p->lock);
    // The thread still has these n.
    assert(p->in_use >= n); // SAFE
    p->in_use -= n;
    p->available += n;
    assert(p->available <= SIZE); // SAFE
    pthread_cond_broadcast(&p->freed);
    pthread_mutex_unlock(&p->lock);
}

static void *small(void *unused) {
    acquire(&pool, 1);
    __goblint_check(pool.in_use == 1); // UNSAFE!
    give_back(&pool, 1);
    return 0;
}

static void *large(void *unused) {
    acquire(&pool, 2);
    assert(pool.in_use >= 2); // SAFE
    give_back(&pool, 2);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, small, 0);
    pthread_create(&b, 0, large, 0);
    pthread_create(&c, 0, small, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(pool.in_use == 0); // SAFE
    assert(pool.available == SIZE); // SAFE
    assert(pool.peak >= 2); // SAFE
    __goblint_check(pool.peak == SIZE); // UNSAFE!
    return 0;
}
