// Unsigned numbers of an object of the heap: what is stored is looked at as well, and none of them starts over.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct pool {
    pthread_mutex_t m;
    unsigned used, users;
};

static void *worker(void *arg) {
    struct pool *p = arg;
    pthread_mutex_lock(&p->m);
    p->used++;
    unsigned now = ++p->users;
    assert(now >= 1); // SAFE
    assert(now <= 2); // SAFE
    pthread_mutex_unlock(&p->m);

    pthread_mutex_lock(&p->m);
    assert(p->used > 0); // SAFE
    p->used--;
    pthread_mutex_unlock(&p->m);
    return 0;
}

static void *thief(void *arg) {
    struct pool *p = arg;
    pthread_mutex_lock(&p->m);
    p->users--;
    pthread_mutex_unlock(&p->m);
    return 0;
}

int main(void) {
    struct pool *p = malloc(sizeof *p);
    struct pool *q = malloc(sizeof *q);
    if (!p || !q)
        return 1;
    pthread_mutex_init(&p->m, 0);
    pthread_mutex_init(&q->m, 0);
    p->used = p->users = 0;
    q->used = q->users = 0;
    pthread_t a, b, c;
    pthread_create(&a, 0, worker, p);
    pthread_create(&b, 0, worker, p);
    pthread_create(&c, 0, thief, q);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(p->used == 0); // SAFE
    assert(p->users == 2); // SAFE
    assert(q->users <= 2); // UNSAFE!
    return 0;
}
