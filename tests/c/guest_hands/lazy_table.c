// ARGS: --properties assertion,null-dereference,data-race
// A table made by whoever needs it first, looked for once more under the lock.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct table {
    int size;
    int entries[8];
};

static _Atomic(struct table *) shared;
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
static int made; // SAFE

static struct table *get(void) {
    struct table *t = atomic_load(&shared);
    if (!t) {
        pthread_mutex_lock(&making);
        t = atomic_load(&shared);
        if (!t) {
            t = malloc(sizeof *t);
            if (!t)
                abort();
            t->size = 8; // SAFE
            for (int i = 0; i < t->size; i++)
                t->entries[i] = i * i;
            made++;
            assert(made == 1); // SAFE
            atomic_store(&shared, t);
        }
        pthread_mutex_unlock(&making);
    }
    return t;
}

static void *user(void *arg) {
    struct table *t = get();
    assert(t != NULL); // SAFE
    assert(t->size == 8); // SAFE
    int k = (int)(long)arg;
    int e = t->entries[k]; // SAFE
    assert(e >= 0 && e <= 49); // SAFE
    assert(atomic_load(&shared) == t); // SAFE
    return 0;
}

int main(void) {
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], 0, user, (void *)(2 * i));
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(made == 1); // SAFE
    assert(shared->size == 8); // SAFE
    return 0;
}
