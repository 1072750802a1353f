// ARGS: --properties assertion,array-bounds
// A table of routes under a read/write lock with a generation; readers look routes up, a writer adds and removes.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define ROUTES 4
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int metric[ROUTES], used, generation, adds, removes;

static void *reader(void *unused) {
    int last = 0;
    for (int i = 0; i < 3; i++) {
        pthread_rwlock_rdlock(&lock);
        assert(used >= 0 && used <= ROUTES); // SAFE
        assert(used == adds - removes); // SAFE
        if (used > 0) {
            int m = metric[used - 1]; // SAFE
            assert(m >= 0); // SAFE
        }
        int now = generation;
        assert(now >= last); // UNKNOWN (a difference that readers see under a read/write lock)
        assert(now == adds + removes); // SAFE
        __goblint_check(now == last); // UNSAFE!
        pthread_rwlock_unlock(&lock);
        last = now;
    }
    return 0;
}

static void *writer(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_rwlock_wrlock(&lock);
        if (rand() % 2 && used < ROUTES) {
            metric[used] = 1 + i; // SAFE
            used++;
            adds++;
            generation++;
        } else if (used > 0) {
            used--;
            removes++;
            generation++;
        }
        assert(removes <= adds); // SAFE
        pthread_rwlock_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t r, s, w;
    pthread_create(&r, 0, reader, 0);
    pthread_create(&s, 0, reader, 0);
    pthread_create(&w, 0, writer, 0);
    pthread_join(w, 0);
    assert(generation <= 3); // SAFE
    assert(adds - removes == used); // SAFE
    assert(used <= 3); // SAFE
    pthread_join(r, 0);
    pthread_join(s, 0);
    return 0;
}
