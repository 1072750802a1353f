// ARGS: --properties assertion,data-race,null-dereference,use-after-free
// One more reference for each thread that is started, given back where it does not start; each gives back its own.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct kref { atomic_int count; };
struct object { struct kref ref; int value; pthread_mutex_t m; int sum; };

static void get(struct object *o) {
    atomic_fetch_add(&o->ref.count, 1); // SAFE
}

static void release(struct object *o) {
    assert(o->value == 7); // SAFE
    pthread_mutex_destroy(&o->m);
    free(o); // SAFE
}

static void put(struct object *o) {
    if (atomic_fetch_sub(&o->ref.count, 1) == 1) // SAFE
        release(o);
}

static void *user(void *arg) {
    struct object *o = arg;
    assert(o->value == 7); // SAFE
    pthread_mutex_lock(&o->m);
    o->sum++; // SAFE
    pthread_mutex_unlock(&o->m);
    put(o);
    return 0;
}

int main(void) {
    pthread_t t[2];
    struct object *o = malloc(sizeof *o);
    if (!o)
        return 1;
    atomic_init(&o->ref.count, 1);
    o->value = 7;
    o->sum = 0;
    pthread_mutex_init(&o->m, 0);
    for (int i = 0; i < 2; i++) {
        get(o);
        if (pthread_create(&t[i], 0, user, o))
            put(o);
    }
    put(o);
    return 0;
}
