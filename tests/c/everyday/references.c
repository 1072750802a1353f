// An object with a count of references, freed by whoever gives back the last one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object { atomic_int references; int value; };
static struct object shared = {1, 5};
static int freed;

static void get_object(struct object *o) {
    int before = atomic_fetch_add(&o->references, 1);
    assert(before >= 1); // SAFE
}

static void put_object(struct object *o) {
    int before = atomic_fetch_sub(&o->references, 1);
    assert(before >= 1); // SAFE
    if (before == 1) {
        assert(freed == 0); // SAFE
        freed = 1;
        o->value = 0;
    }
}

static void *user(void *unused) {
    assert(shared.value == 5); // SAFE
    put_object(&shared);
    return 0;
}

int main(void) {
    pthread_t a, b;
    get_object(&shared);
    pthread_create(&a, 0, user, 0);
    get_object(&shared);
    pthread_create(&b, 0, user, 0);
    __goblint_check(shared.references == 3); // UNSAFE!
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(freed == 0); // SAFE
    put_object(&shared);
    assert(freed == 1); // SAFE
    return 0;
}
