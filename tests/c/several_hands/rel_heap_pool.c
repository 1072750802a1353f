// ARGS: --properties assertion,data-race,null-dereference
// A pool that main allocates; its numbers of idle, busy and broken workers add up to its size.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct {
    pthread_mutex_t mtx;
    unsigned size, idle, busy, broken;
} pool_t;

static void check_pool(pool_t *p) {
    assert(p->idle + p->busy + p->broken == p->size); // UNKNOWN (sums of unsigned members of the heap)
    assert(p->busy <= p->size); // SAFE
}

static void *worker(void *arg) {
    pool_t *p = arg;
    for (int round = 0; round < 3; ++round) {
        pthread_mutex_lock(&p->mtx);
        if (p->idle == 0) {
            pthread_mutex_unlock(&p->mtx);
            continue;
        }
        p->idle--;
        p->busy++;
        check_pool(p);
        pthread_mutex_unlock(&p->mtx);

        pthread_mutex_lock(&p->mtx);
        // Only who made a place busy takes it back, so that one is.
        assert(p->busy > 0); // SAFE
        p->busy--;
        if (round == 2)
            p->broken++;
        else
            p->idle++;
        check_pool(p);
        pthread_mutex_unlock(&p->mtx);
    }
    return NULL;
}

int main(void) {
    pool_t *p = malloc(sizeof *p);
    if (p == NULL)
        return 1;
    pthread_mutex_init(&p->mtx, NULL);
    p->size = 4;
    p->idle = 4;
    p->busy = 0;
    p->broken = 0;
    pthread_t a, b;
    pthread_create(&a, NULL, worker, p);
    pthread_create(&b, NULL, worker, p);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    check_pool(p);
    assert(p->busy == 0); // SAFE
    assert(p->broken <= 2); // SAFE
    free(p);
    return 0;
}
