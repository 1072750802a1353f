// ARGS: --properties assertion,data-race
// Initialised once by whoever comes first; others wait until it is done.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NEW, BUSY, DONE };
static atomic_int state;
static int table[4]; // SAFE
static int inits; // SAFE

static void init(void) {
    int expected = NEW;
    if (atomic_compare_exchange_strong(&state, &expected, BUSY)) {
        assert(inits == 0); // SAFE
        inits++;
        for (int i = 0; i < 4; i++)
            table[i] = i + 1;
        atomic_store(&state, DONE);
    } else {
        while (atomic_load(&state) != DONE)
            ;
    }
}

static void *user(void *arg) {
    init();
    assert(inits == 1); // SAFE
    assert(table[2] == 3); // SAFE
    return 0;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, user, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
