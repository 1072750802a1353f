// A spinlock by exchange around a counter with two faces, and an atomic that others may read at any time.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int locked;
static int up, down;
static atomic_int published;

static void acquire(void) {
    while (atomic_exchange(&locked, 1))
        ;
}

static void release(void) {
    atomic_store(&locked, 0);
}

static void *worker(void *arg) {
    for (int i = 0; i < 3; i++) {
        acquire();
        assert(up + down == 0); // SAFE
        up++;
        down--;
        atomic_store(&published, up);
        assert(published == up); // SAFE
        release();
    }
    return arg;
}

static void *reader(void *arg) {
    int last = 0;
    for (int i = 0; i < 4; i++) {
        int now = atomic_load(&published);
        assert(now >= last); // SAFE
        assert(now <= 6); // SAFE
        last = now;
    }
    acquire();
    assert(last <= up); // SAFE
    assert(published == up); // SAFE
    release();
    return arg;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_create(&c, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(up == 6 && down == -6); // SAFE
    assert(published == 6); // SAFE
    assert(locked == 0); // SAFE
    assert(locked == 1); // UNSAFE!
    return 0;
}
