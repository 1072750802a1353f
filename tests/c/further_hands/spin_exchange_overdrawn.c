// A jar of which all is taken at once, and from which a treasurer pays bills before there is enough in it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int jar;
static int taken;
static atomic_uint stamps;

static void *guest(void *arg) {
    for (int i = 1; i <= 2; i++) {
        atomic_fetch_add(&jar, i);
        atomic_fetch_add(&stamps, 2u * (unsigned)i);
    }
    return arg;
}

static void *treasurer(void *arg) {
    atomic_fetch_sub(&jar, 2);
    atomic_fetch_add(&jar, 2);
    return arg;
}

static void *taker(void *arg) {
    int got = atomic_exchange(&jar, 0);
    taken += got;
    unsigned some = atomic_exchange(&stamps, 1);
    assert(some <= 6); // SAFE
    assert(got <= 5); // UNKNOWN (a counter that may be negative is taken whole)
    assert(got >= 0); // UNSAFE!
    return arg;
}

int main(void) {
    pthread_t g, t, k;
    pthread_create(&g, 0, guest, 0);
    pthread_create(&t, 0, treasurer, 0);
    pthread_create(&k, 0, taker, 0);
    pthread_join(g, 0);
    pthread_join(t, 0);
    pthread_join(k, 0);
    assert(taken + jar == 3); // UNKNOWN (a counter that may be negative is taken whole)
    assert(stamps <= 7); // SAFE
    assert(stamps > 1); // UNSAFE!
    return 0;
}
