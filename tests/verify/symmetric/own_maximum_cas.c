// The largest number of each thread first, then of all, exchanged.
// With BUG: an exchange that failed is not repeated.
#include <assert.h>

int __VERIFIER_nondet_int(void);
int largest;

void finder(void) {
    int mine = 0;
    for (int i = 0; i < 2; i++) {
        int number = __VERIFIER_nondet_int();
        if (number > mine) mine = number;
        assert(number <= mine);
    }
    int old;
    do {
        old = largest;
        if (mine <= old) break;
#ifdef BUG
        __sync_bool_compare_and_swap(&largest, old, mine);
    } while (0);
#else
    } while (!__sync_bool_compare_and_swap(&largest, old, mine));
#endif
    assert(mine <= largest);
}
