// A region is left inside of a function that calls itself; one way through it looks at an index of a ring.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define LEN 4u
static atomic_uint in, out;
static unsigned got;
static void leave(void) {
    __VERIFIER_atomic_end();
    while (__VERIFIER_nondet_int()) {
        __VERIFIER_atomic_begin();
        leave();
    }
}
static void *put(void *a) {
    while (1) {
        unsigned i = in, o = out;
        if (i - o == LEN)
            continue;
        in = i + 1;
    }
    return a;
}
static void *get(void *a) {
    while (1) {
        unsigned o = out, i = in;
        if (i == o)
            continue;
        assert(i - o <= LEN); // SAFE
        out = o + 1;
    }
    return a;
}
int main(void) {
    pthread_t p, c;
    int is_looked = 0;
    pthread_create(&p, 0, put, 0);
    pthread_create(&c, 0, get, 0);
    __VERIFIER_atomic_begin();
    if (__VERIFIER_nondet_int()) {
        is_looked = 1;
        got = in;
    }
    leave();
    assert(is_looked == 0); // UNSAFE!
    return 0;
}
