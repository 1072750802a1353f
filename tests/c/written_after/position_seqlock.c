// A sequence lock around a position: writers are behind a mutex, readers try again where the number has changed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int x, y;
static pthread_mutex_t writers = PTHREAD_MUTEX_INITIALIZER;

static void move(int by) {
    pthread_mutex_lock(&writers);
    unsigned before = atomic_load(&sequence);
    assert(before % 2 == 0); // SAFE
    atomic_store(&sequence, before + 1);
    atomic_store(&x, atomic_load(&x) + by);
    atomic_store(&y, atomic_load(&y) - by);
    assert(atomic_load(&x) + atomic_load(&y) == 0); // SAFE
    atomic_store(&sequence, before + 2);
    pthread_mutex_unlock(&writers);
}

static void *mover(void *argument) {
    int by = argument ? 1 : 2;
    for (int i = 0; i < 2; i++)
        move(by);
    return 0;
}

static void *watcher(void *unused) {
    unsigned begin, end;
    int a, b, tries = 0;
    do {
        begin = atomic_load(&sequence);
        a = atomic_load(&x);
        b = atomic_load(&y);
        end = atomic_load(&sequence);
        tries++;
        __goblint_check(a + b == 0); // UNSAFE!
    } while (begin != end || begin % 2);
    assert(begin % 2 == 0); // SAFE
    assert(a + b == 0); // UNKNOWN (two reads between two equal numbers)
    assert(a >= 0); // SAFE
    assert(tries >= 1); // SAFE
    __goblint_check(tries == 1); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t m, n, w;
    pthread_create(&w, 0, watcher, 0);
    pthread_create(&m, 0, mover, 0);
    pthread_create(&n, 0, mover, &x);
    pthread_join(m, 0);
    pthread_join(n, 0);
    assert(atomic_load(&x) == 6); // UNKNOWN (what is left when all have added)
    assert(atomic_load(&y) == -6); // SAFE
    assert(atomic_load(&sequence) == 8); // UNKNOWN (what is left when all have added)
    pthread_join(w, 0);
    return 0;
}
