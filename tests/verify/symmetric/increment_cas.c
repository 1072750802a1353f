// A counter that is exchanged as long as another thread was first; it only grows.
// With BUG: it is written, not exchanged.
#include <assert.h>

unsigned value;

void adder(void) {
    unsigned before;
    do {
        before = value;
        if (before == 4000000000u) return;
#ifdef BUG
        value = before + 1;
    } while (0);
#else
    } while (!__sync_bool_compare_and_swap(&value, before, before + 1));
#endif
    assert(value > before);
}
