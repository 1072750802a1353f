// ARGS: --properties assertion,data-race,null-dereference,use-after-free
// The count is under the object's own mutex, which goes with it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct object { pthread_mutex_t m; int refs; int value; };

static void put(struct object *o) {
    int left;
    pthread_mutex_lock(&o->m);
    assert(o->refs > 0); // SAFE
    left = --o->refs; // SAFE
    pthread_mutex_unlock(&o->m);
    if (left == 0) {
        assert(o->value == 3); // SAFE
        pthread_mutex_destroy(&o->m);
        free(o); // SAFE
    }
}

static void *user(void *arg) {
    struct object *o = arg;
    assert(o->value == 3); // SAFE
    put(o);
    return 0;
}

int main(void) {
    pthread_t a, b;
    struct object *o = malloc(sizeof *o);
    if (!o)
        return 1;
    pthread_mutex_init(&o->m, 0);
    o->refs = 3;
    o->value = 3;
    pthread_create(&a, 0, user, o);
    pthread_create(&b, 0, user, o);
    put(o);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
