// A limiter that lets so many requests through in each window; a timer thread opens the next one.
#include <assert.h>
#include <pthread.h>

#define LIMIT 3
#define WINDOWS 4
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int window, in_window, allowed, refused;

static int allow(void) {
    int ok;
    pthread_mutex_lock(&lock);
    ok = in_window < LIMIT;
    if (ok) {
        in_window++;
        allowed++;
    } else {
        refused++;
    }
    assert(in_window <= LIMIT); // SAFE
    assert(in_window >= 0); // SAFE
    assert(allowed >= in_window); // SAFE
    assert(ok || in_window == LIMIT); // SAFE
    pthread_mutex_unlock(&lock);
    return ok;
}

static void *timer(void *unused) {
    for (int i = 1; i < WINDOWS; i++) {
        pthread_mutex_lock(&lock);
        window++;
        assert(window == i); // SAFE
        in_window = 0;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *client(void *unused) {
    int passed = 0;
    for (int i = 0; i < 5; i++)
        passed += allow();
    assert(passed >= 0 && passed <= 5); // SAFE
    __goblint_check(passed >= 3); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t t, a, b;
    pthread_create(&t, 0, timer, 0);
    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, client, 0);
    pthread_join(t, 0);
    assert(window == WINDOWS - 1); // SAFE
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(allowed <= 10); // SAFE
    assert(allowed + refused == 10); // SAFE
    assert(allowed <= LIMIT * (window + 1)); // SAFE
    return 0;
}
