// A clock of two numbers read under a sequence count; one writer with a lock, readers that try again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int seconds, nanos;
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;

static void tick(void) {
    pthread_mutex_lock(&writing);
    unsigned s = atomic_load(&sequence);
    assert(s % 2 == 0); // SAFE
    atomic_store(&sequence, s + 1);
    int n = atomic_load(&nanos) + 400;
    if (n >= 1000) {
        atomic_store(&seconds, atomic_load(&seconds) + 1);
        n -= 1000;
    }
    atomic_store(&nanos, n);
    assert(n >= 0 && n < 1000); // SAFE
    assert(atomic_load(&sequence) == s + 1); // SAFE
    atomic_store(&sequence, s + 2);
    pthread_mutex_unlock(&writing);
}

static void *ticker(void *unused) {
    for (int i = 0; i < 6; i++)
        tick();
    return 0;
}

static void *reader(void *unused) {
    unsigned before, after;
    int s, n;
    do {
        before = atomic_load(&sequence);
        s = atomic_load(&seconds);
        n = atomic_load(&nanos);
        after = atomic_load(&sequence);
    } while (before % 2 == 1 || before != after);
    assert(n >= 0 && n < 1000); // SAFE
    assert(s >= 0); // SAFE
    __goblint_check(s <= 1); // UNSAFE!
    assert(after % 2 == 0); // UNKNOWN (the rest of a number that is equal to another one)
    return 0;
}

int main(void) {
    pthread_t t, r;
    pthread_create(&t, 0, ticker, 0);
    pthread_create(&r, 0, reader, 0);
    pthread_join(t, 0);
    assert(atomic_load(&sequence) == 12); // SAFE
    pthread_join(r, 0);
    return 0;
}
