// Events are counted by kind and in all, under one lock; a reporter prints them now and then.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned total, errors, warnings, notes;
static volatile int stop;

static void count(int kind) {
    pthread_mutex_lock(&lock);
    if (total < 1000000) {
        total++;
        if (kind == 0)
            errors++;
        else if (kind == 1)
            warnings++;
        else
            notes++;
    }
    pthread_mutex_unlock(&lock);
}

static void *source(void *unused) {
    while (!stop)
        count(__VERIFIER_nondet_int());
    return 0;
}

static void *reporter(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        unsigned seen = total, bad = errors;
        assert(errors + warnings + notes == total); // SAFE
        assert(errors <= total); // SAFE
        __goblint_check(warnings == 0); // UNSAFE!
        pthread_mutex_unlock(&lock);
        assert(bad <= seen); // SAFE
        assert(seen <= 1000000); // SAFE
    }
    stop = 1;
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, source, 0);
    pthread_create(&b, 0, source, 0);
    pthread_create(&c, 0, reporter, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(stop == 1); // SAFE
    return 0;
}
