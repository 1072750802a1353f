// A loader that reports progress and an end by C11 atomics; a viewer that polls them.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define PAGES 16

static atomic_int loaded;
static atomic_bool finished, cancelled;
static int result;

static void *loader(void *unused) {
    int sum = 0;
    for (int page = 0; page < PAGES; page++) {
        if (atomic_load(&cancelled))
            return 0;
        sum += 2;
        assert(sum == 2 * page + 2); // SAFE
        atomic_store(&loaded, page + 1);
    }
    result = sum;
    atomic_store(&finished, true);
    return 0;
}

static void *viewer(void *unused) {
    int last = 0;
    for (int i = 0; i < 5; i++) {
        int now = atomic_load(&loaded);
        assert(now >= last); // SAFE
        assert(now <= PAGES); // SAFE
        last = now;
    }
    if (atomic_load(&finished)) {
        assert(result == 2 * PAGES); // SAFE
        assert(atomic_load(&loaded) == PAGES); // SAFE
    } else {
        __goblint_check(last < PAGES); // UNSAFE!
        atomic_store(&cancelled, true);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, loader, 0);
    pthread_create(&b, 0, viewer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(!atomic_load(&finished) || atomic_load(&loaded) == PAGES); // SAFE
    assert(result == 0 || result == 2 * PAGES); // SAFE
    __goblint_check(atomic_load(&finished)); // UNSAFE!
    return 0;
}
