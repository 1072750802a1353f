// An allowance that is drawn from and refilled by compare and exchange alone.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define FULL 16

static atomic_int left = FULL;
static atomic_int refusals;

static bool draw(int n) {
    int old = atomic_load(&left);
    do {
        if (old < n) {
            atomic_fetch_or(&refusals, 1);
            return false;
        }
    } while (!atomic_compare_exchange_weak(&left, &old, old - n));
    // What was exchanged was no less than n.
    assert(old - n >= 0); // SAFE
    assert(old <= FULL); // SAFE
    return true;
}

static void refill(int n) {
    int old = atomic_load(&left), new;
    do {
        new = old + n;
        if (new > FULL)
            new = FULL;
    } while (!atomic_compare_exchange_weak(&left, &old, new));
    assert(new >= old); // SAFE
    assert(new <= FULL); // SAFE
}

static void *consumer(void *arg) {
    for (int i = 0; i < 3; i++)
        if (draw(5)) {
            assert(atomic_load(&left) >= 0); // SAFE
            assert(atomic_load(&left) <= FULL - 5); // UNSAFE!
        }
    return arg;
}

static void *filler(void *arg) {
    refill(3);
    assert(atomic_load(&left) >= 3); // UNSAFE!
    return arg;
}

int main(void) {
    pthread_t c, d, f;
    pthread_create(&c, 0, consumer, 0);
    pthread_create(&d, 0, consumer, 0);
    pthread_create(&f, 0, filler, 0);
    pthread_join(c, 0);
    pthread_join(d, 0);
    pthread_join(f, 0);
    assert(refusals == 0 || refusals == 1); // SAFE
    assert(left <= FULL); // SAFE
    return 0;
}
