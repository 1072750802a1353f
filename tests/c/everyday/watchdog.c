// A worker shows that it is alive; a watchdog counts the rounds without a sign and gives up after three.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool is_alive, is_stopped;
static int missed;
static bool is_given_up;

static void *worker(void *unused) {
    while (!atomic_load(&is_stopped))
        atomic_store(&is_alive, true);
    return 0;
}

static void *watchdog(void *unused) {
    for (int i = 0; i < 10 && !is_given_up; i++) {
        if (atomic_exchange(&is_alive, false))
            missed = 0;
        else
            missed++;
        assert(missed >= 0 && missed <= 3); // SAFE
        if (missed == 3)
            is_given_up = true;
    }
    assert(!is_given_up || missed == 3); // SAFE
    __goblint_check(!is_given_up); // UNSAFE!
    atomic_store(&is_stopped, true);
    return 0;
}

int main(void) {
    pthread_t w, d;
    pthread_create(&w, 0, worker, 0);
    pthread_create(&d, 0, watchdog, 0);
    pthread_join(w, 0);
    pthread_join(d, 0);
    assert(is_stopped); // SAFE
    assert(missed <= 3); // SAFE
    return 0;
}
