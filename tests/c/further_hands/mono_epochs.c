// An epoch that is only raised; readers announce the one they saw, the collector waits for these.
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

enum { LAST = 20 };
static atomic_int epoch = 1;
static atomic_int announced; // 0: nobody reads
static int collected; // the collector's own, read by main when it has ended

static int advance(void *unused) {
    for (int i = 0; i < 10; i++) {
        int now = atomic_load(&epoch);
        if (now < LAST)
            atomic_compare_exchange_strong(&epoch, &now, now + 1);
        int later = atomic_load(&epoch);
        assert(later >= now); // SAFE
        assert(later <= LAST); // SAFE
    }
    return 0;
}

static int reader(void *unused) {
    int seen = atomic_load(&epoch);
    atomic_store(&announced, seen);
    assert(atomic_load(&epoch) >= seen); // SAFE
    assert(atomic_load(&epoch) == seen); // UNSAFE!
    int mine = atomic_load(&announced);
    assert(mine >= 1 && mine <= LAST); // SAFE
    atomic_store(&announced, 0);
    return seen;
}

static int collect(void *unused) {
    int reading = atomic_load(&announced);
    if (reading == 0)
        return 0;
    int now = atomic_load(&epoch);
    // What a reader announced was the epoch at that time.
    assert(reading <= now); // SAFE
    collected = now - reading;
    assert(collected >= 0 && collected < LAST); // SAFE
    return 1;
}

int main(void) {
    thrd_t a, b, r, c;
    int seen;
    thrd_create(&a, advance, 0);
    thrd_create(&b, advance, 0);
    thrd_create(&r, reader, 0);
    thrd_create(&c, collect, 0);
    thrd_join(r, &seen);
    thrd_join(c, 0);
    assert(seen <= atomic_load(&epoch)); // SAFE
    assert(announced == 0); // SAFE
    thrd_join(a, 0);
    thrd_join(b, 0);
    return 0;
}
