// A counter that is exchanged, up and down.
// With BUG: that it goes down is not told.
#include <assert.h>

unsigned value;
int added, taken;

void adder(void) {
    unsigned before;
    do {
        before = value;
        if (before == 4000000000u) return;
        added = 1;
    } while (!__sync_bool_compare_and_swap(&value, before, before + 1));
    unsigned now = value;
    assert(taken || now > before);
}

void taker(void) {
    unsigned before;
    do {
        before = value;
        if (before == 0) return;
#ifndef BUG
        taken = 1;
#endif
    } while (!__sync_bool_compare_and_swap(&value, before, before - 1));
    unsigned now = value;
    assert(added || now < before);
}
