// A mailbox for one message: a pointer that is exchanged atomically, null when there is none.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct message { int kind, size; };
static _Atomic(struct message *) box;
static struct message hello = {1, 5}, bye = {2, 3};

static void *post(void *unused) {
    hello.size = 6;
    atomic_store(&box, &hello);
    struct message *old = atomic_exchange(&box, &bye);
    assert(old == NULL || old == &hello); // SAFE
    if (old)
        assert(old->size == 6); // SAFE
    return 0;
}

static void *fetch(void *unused) {
    struct message *m = atomic_exchange(&box, NULL);
    if (m != NULL) {
        assert(m->kind == 1 || m->kind == 2); // SAFE
        assert(m->size >= 3); // SAFE
        if (m->kind == 1)
            assert(m->size == 6); // SAFE
        __goblint_check(m == &bye); // UNSAFE!
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, post, 0);
    pthread_create(&b, 0, fetch, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    struct message *last = atomic_load(&box);
    assert(last == NULL || last == &bye); // SAFE
    return 0;
}
