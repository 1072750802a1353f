// As counted_in_a_byte.c, but an event changes the byte, too.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define COUNT 0xffu
#define LIMIT 100
#define EVENT 0x50u
static atomic_uint state;

static void *enter(void *unused) {
    unsigned old = atomic_load(&state), changed;
    do {
        if ((old & COUNT) >= LIMIT)
            return 0;
        changed = old + 1;
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
    assert((seen & COUNT) <= LIMIT); // UNSAFE!
    for (int i = 0; i < 6; i++)
        pthread_join(t[i], 0);
    assert((state & COUNT) <= LIMIT); // UNSAFE!
    return 0;
}
