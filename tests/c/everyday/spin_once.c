// A lock of one's own by compare-and-exchange, with a bounded number of attempts.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int owner;
static int value, copy, failures;
static atomic_int attempts;

static bool try_lock(int me) {
    for (int i = 0; i < 3; i++) {
        int expected = 0;
        atomic_fetch_add(&attempts, 1);
        if (atomic_compare_exchange_strong(&owner, &expected, me))
            return true;
    }
    return false;
}

static void unlock(int me) {
    assert(atomic_load(&owner) == me); // SAFE
    atomic_store(&owner, 0);
}

static void *worker(void *argument) {
    int me = argument ? 1 : 2;
    if (try_lock(me)) {
        value++;
        copy = value;
        assert(copy == value); // SAFE
        unlock(me);
    } else {
        __goblint_check(owner != 0); // UNSAFE!
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, &value);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(owner == 0); // SAFE
    assert(value == copy); // SAFE
    assert(value >= 1 && value <= 2); // UNKNOWN (what happens if both give up)
    assert(attempts <= 6); // SAFE
    return 0;
}
