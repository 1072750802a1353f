// ARGS: --properties assertion,null-dereference,data-race,use-after-free
// Futures: who asks waits until the value is there.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum status { PENDING, READY, CANCELLED };

struct future {
    pthread_mutex_t m;
    pthread_cond_t changed;
    enum status status;
    int value;
};

static struct future *future_new(void) {
    struct future *f = malloc(sizeof(*f));
    if (!f)
        exit(1);
    pthread_mutex_init(&f->m, NULL);
    pthread_cond_init(&f->changed, NULL);
    f->status = PENDING;
    f->value = 0;
    return f;
}

static void future_set(struct future *f, int value) {
    pthread_mutex_lock(&f->m);
    if (f->status == PENDING) {
        assert(f->value == 0); // SAFE
        f->value = value;
        f->status = READY;
        pthread_cond_broadcast(&f->changed);
    }
    assert(f->status != PENDING); // SAFE
    pthread_mutex_unlock(&f->m);
}

static void future_cancel(struct future *f) {
    pthread_mutex_lock(&f->m);
    if (f->status == PENDING) {
        f->status = CANCELLED;
        pthread_cond_broadcast(&f->changed);
    }
    pthread_mutex_unlock(&f->m);
}

static int future_get(struct future *f, int *out) {
    int ok;
    pthread_mutex_lock(&f->m);
    while (f->status == PENDING)
        pthread_cond_wait(&f->changed, &f->m);
    ok = f->status == READY;
    if (ok) {
        assert(f->value == 42); // UNKNOWN (what three values of a state tell)
        *out = f->value;
    } else
        assert(f->value == 0); // UNKNOWN (what three values of a state tell)
    pthread_mutex_unlock(&f->m);
    return ok;
}

static void *producer(void *arg) {
    future_set(arg, 42);
    return NULL;
}

static void *canceller(void *arg) {
    future_cancel(arg);
    return NULL;
}

int main(void) {
    struct future *f = future_new();
    pthread_t p, c;
    int v = -1;
    pthread_create(&p, NULL, producer, f);
    pthread_create(&c, NULL, canceller, f);
    if (future_get(f, &v))
        assert(v == 42); // SAFE
    else
        assert(v == -1); // SAFE
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    assert(f->status != PENDING); // SAFE
    free(f);
    return 0;
}
