// A write to an array in an atomic section leaves the other elements as they were, also for reads in the same section.
#include <assert.h>

int table[1000];
int seen = 1;
int both;

int main(void) {
    __VERIFIER_atomic_begin();
    table[3] = 1;
    seen = table[4];
    __VERIFIER_atomic_end();
    assert(seen >= 0 && seen <= 1); // SAFE
    __goblint_check(seen == 1); // UNSAFE!

    __VERIFIER_atomic_begin();
    table[5] = 2;
    table[6] = 3;
    __VERIFIER_atomic_end();
    both = table[5];
    assert(both <= 3); // SAFE
    assert(both == 3); // UNSAFE!
    return 0;
}
