// ARGS: --properties assertion
// The reference of main is forgotten, so that the object goes while a thread has one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object { atomic_int refs; int value; };

static void put(struct object *o) {
    if (atomic_fetch_sub(&o->refs, 1) == 1)
        o->value = 0;
}

static void *user(void *arg) {
    struct object *o = arg;
    assert(o->value == 5); // UNSAFE!
    put(o);
    return 0;
}

int main(void) {
    pthread_t a, b;
    struct object *o = malloc(sizeof *o);
    if (!o)
        return 1;
    atomic_init(&o->refs, 2);
    o->value = 5;
    pthread_create(&a, 0, user, o);
    pthread_create(&b, 0, user, o);
    put(o);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
