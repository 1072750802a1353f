// A generator of numbers whose state is exchanged; it is never 0.
// With BUG: the next state may be 0.
#include <assert.h>

int __VERIFIER_nondet_int(void);
int seed = 1;

void drawer(void) {
    int old, next;
    do {
        old = seed;
        assert(old != 0);
        next = __VERIFIER_nondet_int();
#ifndef BUG
        if (next == 0) next = 1;
#endif
    } while (!__sync_bool_compare_and_swap(&seed, old, next));
}
