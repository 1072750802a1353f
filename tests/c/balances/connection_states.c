// Connections of a pool are idle, busy or broken. Every section moves one of them from one state to another, and the
// lock is held while it does: the three counts add up to the size, which nobody changes once threads run.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

struct pool {
    pthread_mutex_t lock;
    int idle, busy, broken;
    int size;
};

static struct pool pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int take(struct pool *p) {
    int found = 0;
    pthread_mutex_lock(&p->lock);
    if (p->idle > 0) {
        p->idle--;
        p->busy++;
        found = 1;
    }
    pthread_mutex_unlock(&p->lock);
    return found;
}

static void *user(void *unused) {
    int failed = __VERIFIER_nondet_int();
    if (!take(&pool))
        return 0;
    pthread_mutex_lock(&pool.lock);
    assert(pool.idle + pool.busy + pool.broken == pool.size); // SAFE
    if (pool.busy > 0) {
        pool.busy--;
        if (failed)
            pool.broken++;
        else
            pool.idle++;
    }
    assert(pool.busy <= pool.size); // SAFE
    pthread_mutex_unlock(&pool.lock);
    return 0;
}

static void *repairer(void *unused) {
    pthread_mutex_lock(&pool.lock);
    if (pool.broken > 0) {
        pool.broken--;
        pool.idle++;
    }
    assert(pool.broken >= 0 && pool.idle >= 0); // SAFE
    pthread_mutex_unlock(&pool.lock);
    return 0;
}

int main(void) {
    pthread_t t[4];
    pool.idle = pool.size = 4;
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, user, 0);
    pthread_create(&t[3], 0, repairer, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    assert(pool.idle + pool.busy + pool.broken == pool.size); // SAFE
    return 0;
}
