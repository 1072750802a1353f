// A table that whoever needs it first makes: the others give up their own and take what is there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct table {
    int size, seed;
};

static _Atomic(struct table *) shared;
static atomic_int made;

static struct table *get(void) {
    struct table *t = atomic_load(&shared);
    if (t)
        return t;
    t = malloc(sizeof *t);
    if (!t)
        abort();
    t->size = 8;
    t->seed = 3;
    struct table *none = NULL;
    if (atomic_compare_exchange_strong(&shared, &none, t)) {
        atomic_fetch_add(&made, 1);
        return t;
    }
    free(t);
    return none;
}

static void *look(void *arg) {
    struct table *t = get();
    assert(t != NULL); // SAFE
    assert(t->size == 8); // SAFE
    assert(t->seed + 5 == t->size); // SAFE
    assert(atomic_load(&shared) != NULL); // SAFE
    return arg;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, look, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(made == 1); // UNKNOWN (one compare and swap of null succeeds)
    free(shared);
    return 0;
}
