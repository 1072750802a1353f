// ARGS: --properties assertion,array-bounds,data-race
// A latch: main waits until each worker has counted it down, then adds up what they left.
#include <assert.h>
#include <pthread.h>

#define WORKERS 4

struct latch {
    pthread_mutex_t m;
    pthread_cond_t zero;
    int count;
};

static struct latch done = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, WORKERS};
static int part[WORKERS];

static void latch_down(struct latch *l) {
    pthread_mutex_lock(&l->m);
    assert(l->count > 0); // SAFE
    if (--l->count == 0)
        pthread_cond_broadcast(&l->zero);
    pthread_mutex_unlock(&l->m);
}

static void latch_wait(struct latch *l) {
    pthread_mutex_lock(&l->m);
    while (l->count > 0)
        pthread_cond_wait(&l->zero, &l->m);
    assert(l->count == 0); // SAFE
    pthread_mutex_unlock(&l->m);
}

static void *work(void *arg) {
    int i = (int)(long)arg;
    part[i] = 10 * i; // SAFE
    latch_down(&done);
    return NULL;
}

int main(void) {
    for (long i = 0; i < WORKERS; i++) {
        pthread_t t;
        if (pthread_create(&t, NULL, work, (void *)i) != 0)
            return 1;
        pthread_detach(t);
    }
    latch_wait(&done);
    int sum = 0;
    for (int i = 0; i < WORKERS; i++)
        sum += part[i]; // SAFE
    assert(sum == 60); // SAFE
    assert(part[2] == 20); // SAFE
    return 0;
}
