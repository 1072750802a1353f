// ARGS: --properties assertion,use-after-free
// A thread uses the object behind its reference.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object { atomic_int refs; int value; };

static void put(struct object *o) {
    if (atomic_fetch_sub(&o->refs, 1) == 1) {
        o->value = 0; // SAFE
        free(o);
    }
}

static void *user(void *arg) {
    struct object *o = arg;
    put(o);
    assert(o->value == 5); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a;
    struct object *o = malloc(sizeof *o);
    if (!o)
        return 1;
    atomic_init(&o->refs, 2);
    o->value = 5;
    pthread_create(&a, 0, user, o);
    put(o);
    pthread_join(a, 0);
    return 0;
}
