// Lamport's fast mutex: without contention it takes a constant number of steps.
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

#define N 2
static atomic_int x, y, busy[N + 1];
static int occupied;

static void enter(int me) {
    for (;;) {
        atomic_store(&busy[me], 1);
        atomic_store(&x, me);
        if (atomic_load(&y) != 0) {
            atomic_store(&busy[me], 0);
            while (atomic_load(&y) != 0) ;
            continue;
        }
        atomic_store(&y, me);
        if (atomic_load(&x) != me) {
            atomic_store(&busy[me], 0);
            for (int j = 1; j <= N; j++)
                while (atomic_load(&busy[j])) ;
            if (atomic_load(&y) != me) {
                while (atomic_load(&y) != 0) ;
                continue;
            }
        }
        return;
    }
}

static void leave(int me) {
    atomic_store(&y, 0);
    atomic_store(&busy[me], 0);
}

static void *worker(void *argument) {
    int me = (int)(long)argument;
    enter(me);
    assert(occupied == 0); // SAFE
    assert(x == me); // UNSAFE!
    occupied = me;
    assert(occupied == me); // SAFE
    occupied = 0;
    leave(me);
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], 0, worker, (void *)(i + 1));
    for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
    assert(y == 0); // SAFE
    assert(occupied == 0); // SAFE
    return 0;
}
