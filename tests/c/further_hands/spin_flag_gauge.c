// A lock made of an atomic_flag around two gauges of a meter, and what is read without it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int low = 10, high = 10, samples;

static void enter(void) {
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
        ;
}

static void leave(void) {
    atomic_flag_clear_explicit(&busy, memory_order_release);
}

static void *sample(void *unused) {
    int value = __VERIFIER_nondet_int();
    if (value < 0 || value > 100)
        return 0;
    enter();
    if (value < low)
        low = value;
    if (value > high)
        high = value;
    if (samples < 500)
        samples++;
    assert(low <= value && value <= high); // SAFE
    assert(low <= 10 && high >= 10); // SAFE
    leave();
    return unused;
}

static void *reset(void *unused) {
    enter();
    low = 10;
    high = 10;
    samples = 0;
    assert(low == high); // SAFE
    leave();
    return unused;
}

static void *show(void *unused) {
    enter();
    int width = high - low;
    int any = samples;
    leave();
    assert(width >= 0 && width <= 100); // SAFE
    assert(any > 0 || width == 0); // UNKNOWN (one relation or another)
    int first = low; // without the lock
    int second = low;
    assert(first >= second); // UNSAFE!
    return unused;
}

int main(void) {
    pthread_t t;
    for (;;) {
        pthread_create(&t, 0, sample, 0);
        pthread_create(&t, 0, show, 0);
        pthread_create(&t, 0, reset, 0);
    }
}
