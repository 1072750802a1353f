// ARGS: --properties assertion
// A seqlock for two words of a clock; readers start over when the sequence has moved or is odd.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint seq;
static atomic_int sec, nsec; // nsec == 10 * sec while seq is even

static void *writer(void *arg) {
    for (int i = 1; i <= 5; i++) {
        unsigned s = atomic_load(&seq);
        assert(s % 2 == 0); // SAFE
        atomic_store(&seq, s + 1);
        atomic_store(&sec, i);
        atomic_store(&nsec, 10 * i);
        atomic_store(&seq, s + 2);
    }
    return 0;
}

static void *reader(void *arg) {
    for (int k = 0; k < 3; k++) {
        unsigned s1, s2;
        int a, b;
        do {
            s1 = atomic_load(&seq);
            a = atomic_load(&sec);
            b = atomic_load(&nsec);
            s2 = atomic_load(&seq);
        } while (s1 != s2 || (s1 & 1));
        assert(s1 <= 10); // SAFE
        assert(a >= 0 && a <= 5); // SAFE
        assert(b == 10 * a); // UNKNOWN (what is read while a number stays the same)
    }
    return 0;
}

int main(void) {
    pthread_t w, r;
    pthread_create(&w, 0, writer, 0);
    pthread_create(&r, 0, reader, 0);
    pthread_join(w, 0);
    assert(atomic_load(&seq) == 10); // SAFE
    assert(atomic_load(&nsec) == 10 * atomic_load(&sec)); // SAFE
    pthread_join(r, 0);
    return 0;
}
