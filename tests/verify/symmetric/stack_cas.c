// A stack whose top is exchanged: it has between no and eight entries.
// With BUG: its top is written.
#include <assert.h>

int top;

void push(void) {
    int old;
    do {
        old = top;
        if (old == 8) return;
    } while (!__sync_bool_compare_and_swap(&top, old, old + 1));
    assert(top <= 8);
}

void pop(void) {
    int old;
    do {
        old = top;
        if (old == 0) return;
#ifdef BUG
        top = top - 1;
    } while (0);
#else
    } while (!__sync_bool_compare_and_swap(&top, old, old - 1));
#endif
    assert(top >= 0);
}
