// Creating a thread may fail: what depends on it must look at the result.
#include <pthread.h>
#include <assert.h>

static int started, helper_ran;

static void *helper(void *unused) {
    helper_ran = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    int result = pthread_create(&t, 0, helper, 0);
    if (result == 0) {
        started = 1;
        pthread_join(t, 0);
        assert(helper_ran == 1); // SAFE
    } else {
        __goblint_check(started == 0); // SAFE
        return 1;
    }
    assert(started == 1); // SAFE
    assert(helper_ran == 0); // UNSAFE!
    return 0;
}
