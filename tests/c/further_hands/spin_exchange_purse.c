// Tips are dropped into a jar; who empties it takes all there is at once.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int jar;
static int of_ann, of_bob; /* only written by ann and bob */
static atomic_int given;

static void *guest(void *arg) {
    for (int i = 0; i < 3; i++) {
        atomic_fetch_add(&given, 2);
        atomic_fetch_add(&jar, 2);
    }
    return arg;
}

static void *ann(void *arg) {
    for (int i = 0; i < 2; i++) {
        int got = atomic_exchange(&jar, 0);
        assert(got >= 0); // SAFE
        assert(got % 2 == 0); // SAFE
        assert(got <= 12); // SAFE
        of_ann += got;
    }
    return arg;
}

static void *bob(void *arg) {
    int got = atomic_exchange(&jar, 0);
    assert(got >= 0 && got <= 12); // SAFE
    of_bob = got;
    assert(of_bob <= given); // UNKNOWN (a difference from which others take all)
    return arg;
}

int main(void) {
    pthread_t g1, g2, a, b;
    pthread_create(&g1, 0, guest, 0);
    pthread_create(&g2, 0, guest, 0);
    pthread_create(&a, 0, ann, 0);
    pthread_create(&b, 0, bob, 0);
    pthread_join(g1, 0);
    pthread_join(g2, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(given == 12); // SAFE
    assert(jar >= 0); // SAFE
    assert(of_ann + of_bob + jar == 12); // SAFE
    assert(of_ann <= 12); // SAFE
    assert(jar == 0); // UNSAFE!
    return 0;
}
