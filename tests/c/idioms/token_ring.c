// ARGS: --properties assertion,data-race
// A token goes around among three threads; who has it may write.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 3
static atomic_int turn;
static int shared; // SAFE
static int inside; // SAFE

static void *station(void *arg) {
    int id = (int)(long)arg;
    for (int round = 0; round < 4; round++) {
        while (atomic_load(&turn) != id)
            ;
        assert(inside == 0); // SAFE
        inside = 1;
        shared = id;
        assert(shared == id); // SAFE
        inside = 0;
        assert(atomic_load(&turn) == id); // SAFE
        atomic_store(&turn, (id + 1) % N);
    }
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, station, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(turn >= 0); // SAFE
    assert(turn < N); // SAFE
    assert(turn > 0); // UNSAFE!
    return 0;
}
