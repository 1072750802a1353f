// ARGS: --properties assertion,data-race
// Two threads in rounds: in each, both add to a counter, then both see twice the number of rounds.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { ROUNDS = 5 };
static atomic_int counter;
static pthread_barrier_t gate;

static void *player(void *arg) {
    for (int r = 1; r <= ROUNDS; r++) {
        atomic_fetch_add(&counter, 1);
        pthread_barrier_wait(&gate);
        assert(atomic_load(&counter) == 2 * r); // UNKNOWN (rounds between barriers)
        assert(atomic_load(&counter) <= 2 * ROUNDS); // SAFE
        pthread_barrier_wait(&gate);
    }
    assert(atomic_load(&counter) == 2 * ROUNDS); // SAFE
    return 0;
}

int main(void) {
    pthread_t x, y;
    pthread_barrier_init(&gate, 0, 2);
    pthread_create(&x, 0, player, 0);
    pthread_create(&y, 0, player, 0);
    pthread_join(x, 0);
    pthread_join(y, 0);
    assert(atomic_load(&counter) == 10); // SAFE
    return 0;
}
