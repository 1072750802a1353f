// A lock that hands out tickets, as long as there are some: without an end, 2^32 waiting threads would have one twice.
// With BUG: the next ticket is read, then written.
#include <assert.h>

int next, served, inside;

void client(void) {
    int mine;
    do {
        mine = next;
        if (mine == 1000000) return;
#ifdef BUG
        next = mine + 1;
    } while (0);
#else
    } while (!__sync_bool_compare_and_swap(&next, mine, mine + 1));
#endif
    while (served != mine) { }
    assert(inside == 0);
    inside = 1;
    inside = 0;
    served = mine + 1;
}
