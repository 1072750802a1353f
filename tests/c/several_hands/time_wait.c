// ARGS: --properties assertion,data-race
// A wait with a time limit: either the flag is seen, or the time is over.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, payload; // SAFE
static int timeouts; // SAFE

static int wait_ready(void) {
    struct timespec until;
    int rc = 0, got = 0;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    pthread_mutex_lock(&m);
    while (!ready && rc == 0)
        rc = pthread_cond_timedwait(&c, &m, &until);
    if (ready) {
        assert(payload == 42); // SAFE
        got = payload;
    } else {
        assert(rc != 0); // SAFE
        assert(rc == ETIMEDOUT); // SAFE
        timeouts++;
    }
    pthread_mutex_unlock(&m);
    return got;
}

static void *setter(void *arg) {
    pthread_mutex_lock(&m);
    payload = 42;
    ready = 1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    return 0;
}

static void *waiter(void *arg) {
    int v = wait_ready();
    assert(v == 0 || v == 42); // SAFE
    return 0;
}

int main(void) {
    pthread_t s, w[2];
    pthread_create(&w[0], 0, waiter, 0);
    pthread_create(&w[1], 0, waiter, 0);
    pthread_create(&s, 0, setter, 0);
    pthread_join(w[0], 0);
    pthread_join(w[1], 0);
    pthread_join(s, 0);
    assert(timeouts <= 2); // SAFE
    assert(payload == 42); // SAFE
    assert(timeouts == 0); // UNSAFE!
    return 0;
}
