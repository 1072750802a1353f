// A table that is allocated when it is first needed, by whoever comes first, with a flag that is looked at before.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct table { int size; int base; };
static _Atomic(struct table *) table;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct table *get(void) {
    struct table *found = atomic_load(&table);
    if (found == NULL) {
        pthread_mutex_lock(&lock);
        found = atomic_load(&table);
        if (found == NULL) {
            found = malloc(sizeof *found);
            if (found == NULL)
                exit(1);
            found->size = 16;
            found->base = 100;
            atomic_store(&table, found);
        }
        pthread_mutex_unlock(&lock);
    }
    assert(found != NULL); // SAFE
    return found;
}

static void *user(void *unused) {
    struct table *t = get();
    assert(t->size == 16); // SAFE
    int i = t->base + t->size;
    assert(i == 116); // SAFE
    assert(get() == t); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, user, 0);
    __goblint_check(atomic_load(&table) == NULL); // UNSAFE!
    pthread_join(a, 0);
    assert(atomic_load(&table) != NULL); // SAFE
    assert(atomic_load(&table)->size == 16); // SAFE
    pthread_join(b, 0);
    assert(get()->base == 100); // SAFE
    free(atomic_load(&table));
    return 0;
}
