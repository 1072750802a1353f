// Dekker's algorithm with a turn, in a function that both threads run with their own number.
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

static atomic_int wants[2], turn;
static int occupied;

static void enter(int me) {
    int other = 1 - me;
    atomic_store(&wants[me], 1);
    while (atomic_load(&wants[other])) {
        if (atomic_load(&turn) != me) {
            atomic_store(&wants[me], 0);
            while (atomic_load(&turn) != me) ;
            atomic_store(&wants[me], 1);
        }
    }
}

static void leave(int me) {
    atomic_store(&turn, 1 - me);
    atomic_store(&wants[me], 0);
}

static void *contender(void *number) {
    int me = (int)(long)number;
    for (int i = 0; i < 3; i++) {
        enter(me);
        assert(occupied == 0); // SAFE
        occupied = 1;
        assert(turn == me); // UNSAFE!
        assert(occupied == 1); // SAFE
        occupied = 0;
        leave(me);
    }
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, contender, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    assert(occupied == 0); // SAFE
    assert(wants[0] == 0 && wants[1] == 0); // SAFE
    return 0;
}
