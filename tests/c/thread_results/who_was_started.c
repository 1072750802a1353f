// Of two kinds of helpers at most one is started; an enumeration says which, and its handle is joined only then.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static int sorted, hashed;

static void *sort(void *unused) {
    sorted = 1;
    sorted = 2;
    return 0;
}

static void *hash(void *unused) {
    hashed = 1;
    return 0;
}

int main(void) {
    enum { NONE, SORT, HASH } what = NONE;
    pthread_t t;
    int size = __VERIFIER_nondet_int();
    if (size > 1000 && pthread_create(&t, 0, hash, 0) == 0)
        what = HASH;
    else if (size > 10 && pthread_create(&t, 0, sort, 0) == 0)
        what = SORT;
    if (what != NONE)
        pthread_join(t, 0);
    if (what == SORT)
        assert(sorted == 2); // SAFE
    if (what == HASH)
        assert(hashed == 1); // SAFE
    assert(sorted != 1); // SAFE
    __goblint_check(sorted == 0); // UNSAFE!
    return 0;
}
