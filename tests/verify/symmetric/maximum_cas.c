// The largest of some numbers, exchanged.
// With BUG: an exchange that failed is not repeated.
#include <assert.h>

int __VERIFIER_nondet_int(void);
int largest;

void finder(void) {
    int number = __VERIFIER_nondet_int(), old;
    do {
        old = largest;
        if (number <= old) break;
#ifdef BUG
        __sync_bool_compare_and_swap(&largest, old, number);
    } while (0);
#else
    } while (!__sync_bool_compare_and_swap(&largest, old, number));
#endif
    assert(number <= largest);
}
