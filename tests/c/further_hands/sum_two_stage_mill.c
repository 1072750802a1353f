// Grain passes from the hopper through a mill to sacks; each stage has its own lock, taken in the same order.
#include <assert.h>
#include <stdbool.h>
#include <threads.h>

enum { LOAD = 30 };

static mtx_t hopper_lock, sack_lock;
static unsigned hopper = LOAD, milled, sacked, dust;

static bool grind(void) {
    bool any = false;
    mtx_lock(&hopper_lock);
    if (hopper >= 3) {
        hopper -= 3;
        milled += 2;
        dust += 1;
        any = true;
    }
    mtx_unlock(&hopper_lock);
    return any;
}

static void fill(void) {
    mtx_lock(&hopper_lock);
    mtx_lock(&sack_lock);
    unsigned taken = milled;
    milled = 0;
    sacked += taken;
    // Both locks: nobody else moves anything.
    assert(hopper + milled + sacked + dust == LOAD); // SAFE
    mtx_unlock(&sack_lock);
    mtx_unlock(&hopper_lock);
}

static int miller(void *unused) {
    (void)unused;
    while (grind())
        ;
    return 0;
}

static int packer(void *unused) {
    for (int i = 0; i < 4; i++)
        fill();
    mtx_lock(&sack_lock);
    // What is in sacks only came out of the mill.
    assert(sacked <= LOAD); // SAFE
    mtx_unlock(&sack_lock);
    mtx_lock(&hopper_lock);
    // Of three parts two are milled and one is dust; sacks are read with the hopper's lock held, which fill also holds.
    assert(milled + sacked == 2 * dust); // UNKNOWN (one of two locks that writers have)
    assert(sacked >= dust); // UNSAFE!
    mtx_unlock(&hopper_lock);
    return 0;
}

int main(void) {
    thrd_t m, p;
    mtx_init(&hopper_lock, mtx_plain);
    mtx_init(&sack_lock, mtx_plain);
    thrd_create(&m, miller, 0);
    thrd_create(&p, packer, 0);
    thrd_join(m, 0);
    thrd_join(p, 0);
    assert(hopper + milled + sacked + dust == LOAD); // SAFE
    assert(hopper < 3); // SAFE
    return 0;
}
