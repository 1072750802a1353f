// A sequence lock: one writer, readers that try again when they met a change.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint seq;
static atomic_int low, high;

static void *writer(void *arg) {
    int rounds = *(int *)arg;
    for (int i = 1; i <= rounds; i++) {
        atomic_fetch_add(&seq, 1);
        assert(seq % 2 == 1); // SAFE
        low = i;
        high = i + 10;
        atomic_fetch_add(&seq, 1);
        assert(seq == 2 * (unsigned)i); // SAFE
    }
    assert(low == rounds); // SAFE
    assert(high == 14); // SAFE
    return 0;
}

static void *reader(void *unused) {
    unsigned before;
    int a, b;
    do {
        while ((before = seq) % 2)
            ;
        a = low;
        b = high;
    } while (seq != before);
    assert(before % 2 == 0); // SAFE
    assert(a >= 0 && a <= 4); // SAFE
    assert(before == 0 || b == a + 10); // UNKNOWN (a pair under a sequence lock)
    assert(before <= 8); // SAFE
    assert(b == 10 + a); // UNSAFE!
    return unused;
}

int main(void) {
    pthread_t w, r1, r2;
    int rounds = 4;
    pthread_create(&w, 0, writer, &rounds);
    pthread_create(&r1, 0, reader, 0);
    pthread_create(&r2, 0, reader, 0);
    pthread_join(w, 0);
    assert(seq == 8); // SAFE
    pthread_join(r1, 0);
    pthread_join(r2, 0);
    return 0;
}
