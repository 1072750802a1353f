// ARGS: --properties assertion,null-dereference,data-race
// Publication as with RCU: an updater fills a new version and swaps the pointer; versions are kept until the end.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct config {
    int low, high, version;
    struct config *previous;
};
static struct config start = {1, 2, 0, 0};
static _Atomic(struct config *) current = &start;
static int last_version;

static void *update(void *unused) {
    for (int i = 1; i <= 3; i++) {
        struct config *new = malloc(sizeof *new);
        if (!new)
            return 0;
        struct config *old = atomic_load(&current);
        new->low = old->low + 1; // SAFE
        new->high = new->low + 1; // SAFE
        new->version = i;
        new->previous = old;
        assert(new->high > new->low); // SAFE
        atomic_store(&current, new);
        last_version = i; // UNSAFE!
    }
    return 0;
}

static void *use(void *unused) {
    struct config *mine = atomic_load(&current);
    assert(mine != 0); // SAFE
    assert(mine->low < mine->high); // UNKNOWN (a relation of members of several objects)
    assert(mine->version >= 0 && mine->version <= 3); // SAFE
    struct config *later = atomic_load(&current);
    assert(later->version >= mine->version); // SAFE
    __goblint_check(later == mine); // UNSAFE!
    int seen = mine->version; // SAFE
    __goblint_check(last_version >= seen); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t u, a, b;
    pthread_create(&u, 0, update, 0);
    pthread_create(&a, 0, use, 0);
    pthread_create(&b, 0, use, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(u, 0);
    int versions = 0;
    for (struct config *c = current; c->previous; c = c->previous) // SAFE
        versions++;
    assert(versions <= 3); // UNKNOWN (how long a list is)
    return 0;
}
