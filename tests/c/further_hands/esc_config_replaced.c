// A new configuration is filled in before it is published by pointer; the old one is freed when all readers are gone.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct config {
    int version, low, high;
};

static struct config *current;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static struct config *make(int version, int low) {
    struct config *c = malloc(sizeof *c);
    if (!c)
        abort();
    c->version = version;
    c->low = low;
    c->high = low + 10;
    assert(c->low < c->high); // SAFE
    assert(c->version == version); // SAFE
    return c;
}

static void *reader(void *arg) {
    int last = 0;
    for (int i = 0; i < 5; i++) {
        pthread_rwlock_rdlock(&lock);
        struct config *c = current;
        assert(c != NULL); // SAFE
        assert(c->low < c->high); // SAFE
        assert(c->high - c->low == 10); // SAFE
        assert(c->version >= last); // UNKNOWN (members of objects that take the place of each other)
        last = c->version;
        pthread_rwlock_unlock(&lock);
    }
    assert(last >= 1); // SAFE
    return arg;
}

static void *reloader(void *arg) {
    for (int v = 2; v <= 4; v++) {
        struct config *fresh = make(v, v * 100);
        pthread_rwlock_wrlock(&lock);
        struct config *old = current;
        assert(old->version < fresh->version); // SAFE
        current = fresh;
        pthread_rwlock_unlock(&lock);
        free(old);
    }
    return arg;
}

int main(void) {
    pthread_t r[2], w;
    current = make(1, 0);
    pthread_create(&r[0], 0, reader, 0);
    pthread_create(&r[1], 0, reader, 0);
    pthread_create(&w, 0, reloader, 0);
    pthread_join(w, 0);
    assert(current->version == 4); // SAFE
    assert(current->low == 400); // SAFE
    pthread_join(r[0], 0);
    pthread_join(r[1], 0);
    free(current);
    return 0;
}
