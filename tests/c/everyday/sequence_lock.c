// A sequence lock: the writer makes the number odd while it writes, readers try again if it was odd or has changed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int x, y;

static void *writer(void *unused) {
    for (int i = 1; i <= 3; i++) {
        unsigned before = atomic_fetch_add(&sequence, 1);
        assert(before % 2 == 0); // SAFE
        atomic_store(&x, i);
        atomic_store(&y, i);
        atomic_fetch_add(&sequence, 1);
    }
    return 0;
}

static void *reader(void *unused) {
    unsigned begin, end;
    int a, b;
    do {
        begin = atomic_load(&sequence);
        a = atomic_load(&x);
        b = atomic_load(&y);
        end = atomic_load(&sequence);
    } while (begin != end || begin % 2 != 0);
    assert(a == b); // UNKNOWN (a number that has not changed in between)
    assert(a >= 0 && a <= 3); // SAFE
    __goblint_check(a == 0 || a == 3); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t w, r;
    pthread_create(&w, 0, writer, 0);
    pthread_create(&r, 0, reader, 0);
    pthread_join(w, 0);
    pthread_join(r, 0);
    assert(sequence == 6); // SAFE
    assert(x == y); // SAFE
    return 0;
}
