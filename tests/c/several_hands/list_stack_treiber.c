// ARGS: --properties assertion,null-dereference
// A stack by compare-and-swap that is only pushed to while threads run; main takes it apart.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct item { int tag; struct item *below; } item;
static _Atomic(item *) top;
static atomic_int pushed;

static void *pusher(void *arg) {
    int tag = (int)(long)arg;
    for (int i = 0; i < 4; i++) {
        item *x = malloc(sizeof(item));
        if (!x)
            continue;
        x->tag = tag;
        item *old = atomic_load(&top);
        do {
            x->below = old;
        } while (!atomic_compare_exchange_weak(&top, &old, x));
        atomic_fetch_add(&pushed, 1);
        assert(atomic_load(&top) != NULL); // SAFE
        assert(atomic_load(&pushed) > 0); // SAFE
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, pusher, (void *)1L);
    pthread_create(&b, 0, pusher, (void *)2L);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(pushed <= 8); // SAFE
    int n = 0;
    for (item *x = top; x; x = x->below) { // SAFE
        assert(x->tag == 1 || x->tag == 2); // SAFE
        n++;
    }
    assert(n == pushed); // UNKNOWN (how many are in a list)
    return 0;
}
