// ARGS: --properties assertion
// A sequence lock: the reader tries again while the writer was between.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint seq;
static atomic_int x, y;

static void *writer(void *unused) {
    for (int i = 1; i <= 5; i++) {
        atomic_fetch_add(&seq, 1);
        atomic_store(&x, i);
        atomic_store(&y, i);
        atomic_fetch_add(&seq, 1);
    }
    return 0;
}

static void *reader(void *unused) {
    unsigned before, after;
    int a, b;
    do {
        before = atomic_load(&seq);
        a = atomic_load(&x);
        b = atomic_load(&y);
        after = atomic_load(&seq);
    } while ((before & 1) || before != after);
    assert(a == b); // SAFE (needs values between two equal sequence numbers)
    assert(a >= 0); // SAFE
    assert(a <= 5); // SAFE
    assert(before == after); // SAFE
    return 0;
}

int main(void) {
    pthread_t w, r;
    pthread_create(&w, 0, writer, 0);
    pthread_create(&r, 0, reader, 0);
    pthread_join(w, 0);
    pthread_join(r, 0);
    assert(x == y); // SAFE
    assert(x == 0); // UNSAFE!
    return 0;
}
