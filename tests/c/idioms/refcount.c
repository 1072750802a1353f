// ARGS: --properties assertion,data-race,null-dereference,use-after-free
// A reference for each thread, and one of main; who gives back the last one frees.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object { atomic_int refs; int value; };

static void put(struct object *o) {
    int old = atomic_fetch_sub(&o->refs, 1); // SAFE
    assert(old >= 1); // SAFE
    if (old == 1) {
        assert(o->value == 5); // SAFE
        free(o);
    }
}

static void *user(void *arg) {
    struct object *o = arg;
    assert(o->value == 5); // SAFE
    put(o);
    return 0;
}

int main(void) {
    pthread_t a, b;
    struct object *o = malloc(sizeof *o);
    if (!o)
        return 1;
    atomic_init(&o->refs, 3);
    o->value = 5;
    pthread_create(&a, 0, user, o);
    pthread_create(&b, 0, user, o);
    put(o);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
