// A word that counts in its lowest byte, up to a limit, and has events above; both are changed by compare and swap.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define COUNT 0xffu
#define LIMIT 100
#define EVENT 0x100u
static atomic_uint state;

static void *enter(void *unused) {
    unsigned old = atomic_load(&state), changed;
    do {
        if ((old & COUNT) >= LIMIT)
            return 0;
        changed = old + 1;
        assert((changed & COUNT) == (old & COUNT) + 1); // SAFE
    } while (!atomic_compare_exchange_weak(&state, &old, changed));
    return 0;
}

static void *mark(void *unused) {
    unsigned old = atomic_load(&state);
    while (!atomic_compare_exchange_weak(&state, &old, old + EVENT))
        ;
    return 0;
}

int main(void) {
    pthread_t t[6];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], 0, enter, 0);
    for (int i = 4; i < 6; i++)
        pthread_create(&t[i], 0, mark, 0);
    unsigned seen = atomic_load(&state);
    assert((seen & COUNT) <= LIMIT); // SAFE
    for (int i = 0; i < 6; i++)
        pthread_join(t[i], 0);
    assert((state & COUNT) <= LIMIT); // SAFE
    return 0;
}
