// ARGS: --properties assertion,data-race
// Flags taken with the builtins of GNU C, old ones and new ones.
#include <assert.h>
#include <pthread.h>

static int busy, state;
static int uses; // SAFE
static int jobs; // SAFE
static int value; // SAFE

static void *old_style(void *unused) {
    for (int i = 0; i < 4; i++) {
        if (__sync_bool_compare_and_swap(&busy, 0, 1)) {
            uses++;
            value = 7;
            assert(value == 7); // SAFE
            __sync_lock_release(&busy);
        }
    }
    return 0;
}

static void *new_style(void *unused) {
    while (__atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE))
        ;
    uses++;
    value = 9;
    assert(value == 9); // SAFE
    __atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
    int idle = 0;
    if (__atomic_compare_exchange_n(&state, &idle, 2, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        jobs++;
        assert(jobs >= 1); // SAFE
        __atomic_store_n(&state, 0, __ATOMIC_RELEASE);
    } else {
        assert(idle == 2); // SAFE
    }
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, old_style, 0);
    pthread_create(&b, 0, new_style, 0);
    pthread_create(&c, 0, new_style, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(jobs <= 2); // SAFE
    return 0;
}
