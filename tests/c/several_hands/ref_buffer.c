// ARGS: --properties assertion,use-after-free,null-dereference,data-race
// A buffer that is shared by counting who holds it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct buf {
    atomic_int refs;
    int size;
    int fill;
};

static struct buf *buf_new(int size) {
    struct buf *b = malloc(sizeof *b);
    if (b == NULL)
        abort();
    atomic_init(&b->refs, 1);
    b->size = size;
    b->fill = size / 2;
    return b;
}

static struct buf *buf_get(struct buf *b) {
    int old = atomic_fetch_add(&b->refs, 1);
    assert(old >= 1); // SAFE
    return b;
}

static void buf_put(struct buf *b) {
    int old = atomic_fetch_sub(&b->refs, 1);
    assert(old > 0); // SAFE
    if (old == 1)
        free(b); // SAFE
}

static void *reader(void *arg) {
    struct buf *b = arg;
    assert(b->size == 128); // SAFE
    assert(b->fill <= b->size); // SAFE
    buf_put(b);
    return NULL;
}

int main(void) {
    struct buf *b = buf_new(128);
    for (int i = 0; i < 4; i++) {
        pthread_t t;
        if (pthread_create(&t, NULL, reader, buf_get(b)) != 0)
            abort();
        pthread_detach(t);
    }
    assert(b->fill == 64); // SAFE
    buf_put(b);
    return 0;
}
