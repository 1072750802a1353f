// ARGS: --properties assertion,data-race
// Who one is: main's id is kept, and compared with by others.
#include <assert.h>
#include <pthread.h>

static pthread_t boss, helper_id;
static int boss_calls, other_calls; // SAFE
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void log_call(void) {
    pthread_mutex_lock(&m);
    if (pthread_equal(pthread_self(), boss))
        boss_calls++;
    else
        other_calls++;
    pthread_mutex_unlock(&m);
}

static void *helper(void *arg) {
    assert(!pthread_equal(pthread_self(), boss)); // SAFE
    log_call();
    log_call();
    return 0;
}

int main(void) {
    boss = pthread_self();
    pthread_create(&helper_id, 0, helper, 0);
    log_call();
    assert(pthread_equal(pthread_self(), boss)); // SAFE
    assert(!pthread_equal(helper_id, boss)); // SAFE
    pthread_join(helper_id, 0);
    assert(boss_calls == 1); // SAFE
    assert(other_calls == 2); // SAFE
    return 0;
}
