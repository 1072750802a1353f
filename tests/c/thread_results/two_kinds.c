// One handle for either of two threads: whichever was started has ended behind the join.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
static int fast, careful;

static void *run_fast(void *unused) {
    fast = 1;
    return 0;
}

static void *run_carefully(void *unused) {
    careful = 1;
    careful = 2;
    return 0;
}

int main(void) {
    pthread_t t;
    int is_fast = __VERIFIER_nondet_bool(), error;
    if (is_fast)
        error = pthread_create(&t, 0, run_fast, 0);
    else
        error = pthread_create(&t, 0, run_carefully, 0);
    if (error)
        return 1;
    pthread_join(t, 0);
    assert(fast + careful > 0); // SAFE
    if (is_fast)
        assert(fast == 1 && careful == 0); // SAFE
    else
        assert(careful == 2); // SAFE
    return 0;
}
