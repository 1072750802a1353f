// ARGS: --parameterized --entries tick --init power_up
// A debounced button: the level must be the same for three samples. Interrupts run in any number.
#include <pthread.h>
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stable, candidate, run_length, presses;

void power_up(void) {
    stable = 0;
    run_length = 0;
}

void tick(void) {
    int level = __VERIFIER_nondet_bool();
    pthread_mutex_lock(&lock);
    if (level == candidate) {
        if (run_length < 3) run_length++;
        if (run_length == 3 && stable != candidate) {
            stable = candidate;
            if (stable && presses < 255) presses++;
        }
    } else {
        candidate = level;
        run_length = 1;
    }
    assert(run_length >= 0 && run_length <= 3); // SAFE
    assert(stable == 0 || stable == 1); // SAFE
    assert(presses <= 255); // SAFE
    assert(run_length != 2); // UNSAFE!
    pthread_mutex_unlock(&lock);
    assert(presses >= 0); // SAFE
}
