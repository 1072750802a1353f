// A configuration that is replaced as a whole: readers follow the pointer once, the old one is kept.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct config {
    int timeout, retries, generation;
};

static struct config first = {10, 3, 1}, second = {20, 5, 2};
static _Atomic(struct config *) current = &first;
static atomic_int reads, changes;

static void *reader(void *unused) {
    int last = 0;
    for (int i = 0; i < 4; i++) {
        struct config *c = atomic_load(&current);
        assert(c != 0); // SAFE
        assert(c->timeout == 10 || c->timeout == 20); // SAFE
        assert(c->timeout >= 2 * c->retries); // SAFE
        assert(c->generation >= last); // SAFE
        last = c->generation;
        reads++;
    }
    assert(last >= 1 && last <= 2); // SAFE
    return unused;
}

static void *updater(void *unused) {
    assert(current == &first); // SAFE
    atomic_store(&current, &second);
    changes++;
    assert(changes == 1); // SAFE
    return unused;
}

int main(void) {
    pthread_t r[2], u;
    for (int i = 0; i < 2; i++)
        pthread_create(&r[i], 0, reader, 0);
    pthread_create(&u, 0, updater, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(r[i], 0);
    assert(reads == 8); // SAFE
    pthread_join(u, 0);
    assert(atomic_load(&current)->generation == 2); // SAFE
    assert(atomic_load(&current)->retries == 3); // UNSAFE!
    return 0;
}
