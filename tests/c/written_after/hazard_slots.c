// ARGS: --properties assertion,array-bounds,data-race
// Slots that threads claim by compare and exchange, write alone, and give back; main looks into the free ones.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 2
static atomic_int owner[SLOTS];
static int value[SLOTS];
static atomic_int claims;

static int claim(int me) {
    for (int i = 0; i < SLOTS; i++) {
        int none = 0;
        if (atomic_compare_exchange_strong(&owner[i], &none, me)) { // SAFE
            atomic_fetch_add(&claims, 1);
            return i;
        }
        assert(none != 0); // SAFE
    }
    return -1;
}

static void *work(void *argument) {
    int me = argument ? 1 : 2;
    int slot = claim(me);
    assert(slot >= -1 && slot < SLOTS); // SAFE
    if (slot >= 0) {
        assert(atomic_load(&owner[slot]) == me); // SAFE
        value[slot] = 10 * me; // SAFE
        assert(value[slot] == 10 * me); // SAFE
        __goblint_check(slot == 0); // UNSAFE!
        value[slot] = 0;
        atomic_store(&owner[slot], 0); // SAFE
    }
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, value);
    if (atomic_load(&owner[0]) == 0) {
        int mine = claim(3);
        __goblint_check(mine == 0); // UNSAFE!
        if (mine >= 0) {
            assert(value[mine] == 0); // SAFE
            atomic_store(&owner[mine], 0); // SAFE
        }
    }
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(value[0] == 0 && value[1] == 0); // SAFE
    assert(atomic_load(&owner[0]) == 0); // SAFE
    assert(atomic_load(&claims) >= 2); // UNKNOWN (what is left when all have added)
    assert(atomic_load(&claims) <= 3); // SAFE
    return 0;
}
