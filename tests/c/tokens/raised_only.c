// A clock that other threads only ever raise: what is read later is no less, and who has raised it stays below.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int now;

static void *tick(void *unused) {
    for (int i = 0; i < 1000; i++)
        atomic_fetch_add(&now, 1);
    return 0;
}

static void *user(void *unused) {
    int begin = atomic_load(&now);
    int mine = atomic_fetch_add(&now, 2);
    int end = atomic_load(&now);
    assert(begin >= 0); // SAFE
    assert(mine >= begin); // SAFE
    assert(end >= mine + 2); // SAFE
    assert(end - begin >= 2); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, tick, 0);
    pthread_create(&b, 0, user, 0);
    pthread_create(&c, 0, user, 0);
    int early = now;
    int late = now;
    assert(late >= early); // SAFE
    return 0;
}
