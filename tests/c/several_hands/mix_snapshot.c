// ARGS: --properties assertion,data-race
// A snapshot of two counters is taken under the lock and used outside of it.
#include <assert.h>
#include <pthread.h>

struct stats { long requests, errors; };
static struct stats live; // errors <= requests under the lock
static pthread_mutex_t lk = PTHREAD_MUTEX_INITIALIZER;

static struct stats snapshot(void) {
    struct stats copy;
    pthread_mutex_lock(&lk);
    copy = live;
    pthread_mutex_unlock(&lk);
    return copy;
}

static void account(int failed) {
    pthread_mutex_lock(&lk);
    live.requests++;
    if (failed)
        live.errors++;
    pthread_mutex_unlock(&lk);
}

static void *server(void *arg) {
    long base = (long)arg;
    for (int i = 0; i < 20; i++)
        account((base + i) % 3 == 0);
    return 0;
}

static void *monitor(void *arg) {
    struct stats old = snapshot();
    for (int i = 0; i < 5; i++) {
        struct stats now = snapshot();
        assert(now.errors <= now.requests); // SAFE
        assert(now.requests >= old.requests); // SAFE
        assert(now.errors >= old.errors); // SAFE
        old = now;
    }
    return 0;
}

int main(void) {
    pthread_t s1, s2, m;
    pthread_create(&s1, 0, server, (void *)0L);
    pthread_create(&s2, 0, server, (void *)1L);
    pthread_create(&m, 0, monitor, 0);
    pthread_join(s1, 0);
    pthread_join(s2, 0);
    pthread_join(m, 0);
    assert(live.requests == 40); // SAFE
    assert(live.errors <= 40); // SAFE
    return 0;
}
