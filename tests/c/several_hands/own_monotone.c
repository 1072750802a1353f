// ARGS: --properties assertion,data-race
// A clock that only goes on: later readings are not smaller, also without a lock.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_uint ticks;
static atomic_bool stop;
static atomic_int readings;

static void *timer(void *arg) {
    for (unsigned i = 0; i < 6; i++)
        atomic_fetch_add(&ticks, 1);
    atomic_store(&stop, true);
    return 0;
}

static void *reader(void *arg) {
    unsigned last = 0;
    while (!atomic_load(&stop)) {
        unsigned now = atomic_load(&ticks);
        assert(now >= last); // SAFE
        assert(now <= 6); // SAFE
        last = now;
        atomic_fetch_add(&readings, 1);
    }
    assert(atomic_load(&ticks) == 6); // SAFE
    assert(atomic_load(&ticks) >= last); // SAFE
    assert(atomic_load(&readings) > 0); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t t, r;
    pthread_create(&t, 0, timer, 0);
    pthread_create(&r, 0, reader, 0);
    pthread_join(t, 0);
    assert(atomic_load(&stop)); // SAFE
    assert(atomic_load(&ticks) == 6); // SAFE
    pthread_join(r, 0);
    return 0;
}
