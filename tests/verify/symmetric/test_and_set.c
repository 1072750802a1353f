// A lock that is tested and set.
// With BUG: it is tested, then set.
#include <assert.h>

int taken, inside;

void client(void) {
#ifdef BUG
    while (taken) { }
    taken = 1;
#else
    while (__sync_lock_test_and_set(&taken, 1)) { }
#endif
    inside = inside + 1;
    assert(inside == 1);
    inside = inside - 1;
    __sync_lock_release(&taken);
}
