// Seats are reserved and later confirmed or given back; a customer knows of the seats that are his.
#include <assert.h>
#include <threads.h>
#include <stdlib.h>

static mtx_t m;
static int free_seats = 50, held, sold;

static int customer(void *wish) {
    int want = *(int *)wish;
    int mine = 0;
    if (want < 1 || want > 6)
        return 0;
    mtx_lock(&m);
    if (free_seats >= want) {
        free_seats -= want;
        held += want;
        mine = want;
    }
    mtx_unlock(&m);
    if (mine == 0)
        return 0;
    mtx_lock(&m);
    // What this customer holds is part of all that is held.
    assert(held >= mine); // SAFE
    assert(held == mine); // UNSAFE!
    assert(free_seats + mine <= 50); // SAFE
    held -= mine;
    if (rand() % 2) {
        sold += mine;
        assert(sold >= mine); // SAFE
    } else {
        free_seats += mine;
    }
    assert(held >= 0); // SAFE
    assert(free_seats + held + sold == 50); // SAFE
    mtx_unlock(&m);
    return mine;
}

int main(void) {
    thrd_t t[4];
    static int wishes[4] = { 2, 6, 1, 5 };
    int total = 0, got;
    mtx_init(&m, mtx_plain);
    for (int i = 0; i < 4; i++)
        thrd_create(&t[i], customer, &wishes[i]);
    for (int i = 0; i < 4; i++) {
        thrd_join(t[i], &got);
        total += got;
    }
    assert(total <= 24); // SAFE
    assert(held == 0); // SAFE
    return 0;
}
