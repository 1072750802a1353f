// C11: what a thread keeps is counted by a destructor, which has run by the time the thread is joined.
#include <assert.h>
#include <stdlib.h>
#include <threads.h>

struct purse { int coins; };

static tss_t purse;
static mtx_t lock;
static int returned, lost;

static void collect(void *p) {
    struct purse *mine = p;
    assert(mine->coins == 5); // SAFE
    mtx_lock(&lock);
    returned += mine->coins;
    mtx_unlock(&lock);
    free(mine);
}

static int traveller(void *arg) {
    struct purse *mine = malloc(sizeof *mine);
    if (!mine) {
        mtx_lock(&lock);
        lost++;
        mtx_unlock(&lock);
        return 1;
    }
    mine->coins = 7;
    if (tss_set(purse, mine) != thrd_success) {
        free(mine);
        mtx_lock(&lock);
        lost++;
        mtx_unlock(&lock);
        return 1;
    }
    struct purse *again = tss_get(purse);
    again->coins -= 2;
    assert(mine->coins == 5); // SAFE
    (void)arg;
    return 0;
}

int main(void) {
    thrd_t a, b;
    mtx_init(&lock, mtx_plain);
    if (tss_create(&purse, collect) != thrd_success)
        return 1;
    if (thrd_create(&a, traveller, 0) != thrd_success)
        return 1;
    if (thrd_create(&b, traveller, 0) != thrd_success)
        return 1;
    thrd_join(a, 0);
    assert(returned >= 5 || lost >= 1); // SAFE
    __goblint_check(returned <= 5); // UNSAFE!
    thrd_join(b, 0);
    assert(returned <= 10); // SAFE
    assert(returned + 5 * lost == 10); // SAFE
    return 0;
}
