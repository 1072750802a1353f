// ARGS: --properties assertion,null-dereference,use-after-free
// A string with a count of references by atomics: whoever drops the last one frees it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct text {
    atomic_int references;
    int length;
};
static atomic_int freed;

static struct text *get(struct text *t) {
    int before = atomic_fetch_add(&t->references, 1);
    assert(before >= 1); // SAFE
    return t;
}

static void put(struct text *t) {
    int before = atomic_fetch_sub(&t->references, 1);
    assert(before >= 1); // SAFE
    if (before == 1) {
        assert(atomic_load(&t->references) == 0); // SAFE
        free(t);
        atomic_fetch_add(&freed, 1);
    }
}

static void *reader(void *argument) {
    struct text *t = argument;
    assert(t->length == 12); // SAFE
    __goblint_check(atomic_load(&t->references) == 3); // UNSAFE!
    put(t);
    return 0;
}

int main(void) {
    struct text *t = malloc(sizeof *t);
    pthread_t a, b;
    if (!t)
        return 1;
    atomic_init(&t->references, 1);
    t->length = 12;
    pthread_create(&a, 0, reader, get(t));
    pthread_create(&b, 0, reader, get(t));
    assert(t->length == 12); // SAFE
    put(t);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(atomic_load(&freed) <= 1); // SAFE
    assert(atomic_load(&freed) == 1); // UNKNOWN (that some thread gives back the last one)
    return 0;
}
