// ARGS: --properties assertion
// The range of what a sensor has measured, under a sequence lock: one thread measures, it makes the version odd before
// it writes and even behind that; who reads compares versions and reads again. Where both versions are the same even
// number nothing was written between them, so both ends are of one measurement.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint version;
static atomic_int lowest, highest, measured;

static void store(int lo, int hi) {
    unsigned v = atomic_load(&version);
    assert(v % 2 == 0); // SAFE
    atomic_store(&version, v + 1);
    atomic_store(&lowest, lo);
    atomic_store(&highest, hi);
    atomic_fetch_add(&measured, 1);
    atomic_store(&version, v + 2);
}

static void *sensor(void *arg) {
    int values[5] = {3, -2, 5, 9, -7};
    int lo = 0, hi = 0;
    for (int i = 0; i < 5; i++) {
        if (values[i] < lo)
            lo = values[i];
        if (values[i] > hi)
            hi = values[i];
        assert(lo <= hi); // SAFE
        store(lo, hi);
    }
    return arg;
}

static int range(void) {
    for (;;) {
        unsigned before = atomic_load(&version);
        if (before & 1)
            continue;
        int lo = atomic_load(&lowest);
        int hi = atomic_load(&highest);
        unsigned after = atomic_load(&version);
        if (before != after)
            continue;
        assert(lo <= hi); // SAFE
        assert(lo <= 0); // SAFE
        assert(hi >= 0); // SAFE
        return hi - lo;
    }
}

static void *display(void *arg) {
    for (int i = 0; i < 3; i++) {
        int r = range();
        assert(r >= 0); // SAFE
        assert(r <= 16); // SAFE
        assert(r <= 11); // UNSAFE!
    }
    return arg;
}

int main(void) {
    pthread_t s, d[2];
    pthread_create(&s, NULL, sensor, NULL);
    pthread_create(&d[0], NULL, display, NULL);
    pthread_create(&d[1], NULL, display, NULL);
    pthread_join(s, NULL);
    assert(version == 10); // SAFE
    assert(version % 2 == 0); // SAFE
    assert(measured == 5); // SAFE
    pthread_join(d[0], NULL);
    pthread_join(d[1], NULL);
    return 0;
}
