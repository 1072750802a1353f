// ARGS: --properties assertion,array-bounds,data-race
// Double-checked initialisation with an atomic state: none, busy, ready; who loses waits until the table is there.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { NONE, BUSY, READY };
static atomic_int state;
static int squares[8]; // SAFE
static int fills; // SAFE
static int uses;

static void need_table(void) {
    int expected = NONE;
    if (atomic_load(&state) == READY)
        return;
    if (atomic_compare_exchange_strong(&state, &expected, BUSY)) {
        for (int i = 0; i < 8; i++)
            squares[i] = i * i; // SAFE
        fills++;
        assert(fills == 1); // SAFE
        assert(atomic_load(&state) == BUSY); // SAFE
        atomic_store(&state, READY);
    } else {
        assert(expected != NONE); // SAFE
        while (atomic_load(&state) != READY)
            sched_yield();
    }
}

static void *user(void *argument) {
    int number = argument ? 3 : 5;
    __goblint_check(atomic_load(&state) != READY); // UNSAFE!
    need_table();
    assert(atomic_load(&state) == READY); // SAFE
    assert(fills == 1); // SAFE
    assert(squares[number] == number * number); // SAFE
    assert(squares[number] <= 49); // SAFE
    uses++; // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, user, &state);
    pthread_create(&c, 0, user, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(fills == 1); // SAFE
    __goblint_check(uses == 3); // UNSAFE!
    return 0;
}
