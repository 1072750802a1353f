// C11: the key is a member of a structure that all threads share; what they keep is allocated.
#include <assert.h>
#include <stdlib.h>
#include <threads.h>

struct pool { tss_t slot; int size; };
struct buffer { int length; };
static struct pool pool;

static struct buffer *mine(struct pool *p) {
    struct buffer *found = tss_get(p->slot);
    if (found) return found;
    found = calloc(1, sizeof *found);
    if (!found || tss_set(p->slot, found) != thrd_success) exit(1);
    return found;
}

static int filler(void *unused) {
    struct buffer *first = mine(&pool);
    assert(first->length == 0); // SAFE
    first->length = 7;
    struct buffer *second = mine(&pool);
    assert(second->length == 7); // SAFE
    __goblint_check(second != first); // UNSAFE!
    return 0;
}

int main(void) {
    thrd_t a, b;
    if (tss_create(&pool.slot, 0) != thrd_success) return 1;
    if (thrd_create(&a, filler, 0) != thrd_success) return 1;
    if (thrd_create(&b, filler, 0) != thrd_success) return 1;
    assert(tss_get(pool.slot) == 0); // SAFE
    thrd_join(a, 0);
    thrd_join(b, 0);
    return 0;
}
