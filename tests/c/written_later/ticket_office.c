// A ticket lock made of C11 atomics around a count of seats sold.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SEATS 3

static atomic_uint ticket, serving;
static int seats = SEATS, sold, turned_away;

static unsigned enter(void) {
    unsigned mine = atomic_fetch_add(&ticket, 1);
    while (atomic_load(&serving) != mine)
        ;
    return mine;
}

static void leave(unsigned mine) {
    // Only who is served moves the number on.
    assert(atomic_load(&serving) == mine); // SAFE
    atomic_store(&serving, mine + 1);
}

static int buy(void) {
    int ok = 0;
    unsigned mine = enter();
    if (seats > 0) {
        seats--;
        sold++;
        ok = 1;
    } else
        turned_away++;
    assert(seats >= 0); // SAFE
    assert(seats + sold == SEATS); // SAFE
    leave(mine);
    return ok;
}

static void *customer(void *unused) {
    int got = 0;
    for (int i = 0; i < 2; i++)
        got += buy();
    assert(got >= 0 && got <= 2); // SAFE
    __goblint_check(got == 2); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, customer, 0);
    pthread_create(&b, 0, customer, 0);
    __goblint_check(atomic_load(&serving) == atomic_load(&ticket)); // UNSAFE!
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(atomic_load(&serving) == atomic_load(&ticket)); // SAFE
    assert(sold == 3); // SAFE
    assert(seats == 0); // SAFE
    assert(turned_away == 1); // SAFE
    return 0;
}
