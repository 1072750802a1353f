// Pairs that change together in atomic sections; a reader that compares them.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int lo, hi = 10, moves;

static void *mover(void *arg) {
    for (int i = 0; i < 6; i++) {
        int d = __VERIFIER_nondet_int();
        if (d < 0 || d > 3)
            continue;
        __VERIFIER_atomic_begin();
        lo += d;
        hi += d;
        moves++;
        __VERIFIER_atomic_end();
    }
    return arg;
}

static void *shrinker(void *arg) {
    __VERIFIER_atomic_begin();
    if (hi - lo > 4) {
        lo++;
        hi--;
    }
    __VERIFIER_atomic_end();
    return arg;
}

static void *checker(void *arg) {
    __VERIFIER_atomic_begin();
    int a = lo, b = hi;
    int n = moves;
    __VERIFIER_atomic_end();
    assert(b - a >= 3); // SAFE
    assert(b - a <= 10); // SAFE
    assert((b - a) % 2 == 0); // UNKNOWN (the rest of a difference)
    assert(b - a == 10); // UNSAFE!
    assert(a >= 0); // SAFE
    assert(a <= 3 * n + 3); // UNKNOWN (a weighted bound of what is read at once)
    return arg;
}

int main(void) {
    pthread_t t[6];
    pthread_create(&t[0], 0, mover, 0);
    pthread_create(&t[1], 0, mover, 0);
    pthread_create(&t[2], 0, shrinker, 0);
    pthread_create(&t[3], 0, shrinker, 0);
    pthread_create(&t[4], 0, shrinker, 0);
    pthread_create(&t[5], 0, checker, 0);
    for (int i = 0; i < 6; i++)
        pthread_join(t[i], 0);
    assert(moves <= 12); // SAFE
    assert(lo < hi); // SAFE
    assert(lo <= 39); // SAFE
    return 0;
}
