// A spinlock made of atomic_flag around statistics and a high-water mark; each thread gives back what it has done.
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int depth, high, pushes, pops;

static void lock(void) {
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
        thrd_yield();
}

static void unlock(void) {
    atomic_flag_clear_explicit(&busy, memory_order_release);
}

static int push(void) {
    lock();
    int ok = depth < 16;
    if (ok) {
        depth++;
        pushes++;
        if (depth > high)
            high = depth;
        assert(depth <= high); // SAFE
        assert(pushes - pops == depth); // SAFE
    }
    assert(high <= 16); // SAFE
    unlock();
    return ok;
}

static int pop(void) {
    int ok = 0;
    lock();
    if (depth) {
        assert(pushes > pops); // SAFE
        depth--;
        pops++;
        ok = 1;
    }
    unlock();
    return ok;
}

static int pusher(void *arg) {
    int n = 0;
    for (int i = 0; i < 50; i++)
        n += push();
    return n;
}

static int popper(void *arg) {
    int n = 0;
    for (int i = 0; i < 50; i++)
        n += pop();
    return n;
}

int main(void) {
    thrd_t a, b;
    int put, got;
    thrd_create(&a, pusher, 0);
    thrd_create(&b, popper, 0);
    thrd_join(a, &put);
    thrd_join(b, &got);
    assert(put >= 0 && put <= 50); // SAFE
    assert(got <= put); // SAFE
    assert(pushes == put && pops == got); // SAFE
    assert(depth == pushes - pops); // SAFE
    assert(put == 0 || high > 0); // SAFE
    assert(got == put); // UNSAFE!
    return 0;
}
