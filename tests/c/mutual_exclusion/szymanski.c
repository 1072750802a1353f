// Szymanski's algorithm for two threads: a waiting room with a door.
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

static atomic_int flag[2];
static int occupied;

static void *visitor(void *number) {
    int me = (int)(long)number, other = 1 - me;
    atomic_store(&flag[me], 1);
    while (atomic_load(&flag[other]) >= 3) ;
    atomic_store(&flag[me], 3);
    if (atomic_load(&flag[other]) == 1) {
        atomic_store(&flag[me], 2);
        while (atomic_load(&flag[other]) != 4) ;
    }
    atomic_store(&flag[me], 4);
    if (me == 1)
        while (atomic_load(&flag[other]) >= 2) ;
    assert(flag[other] == 0); // UNSAFE!
    occupied = me + 1;
    assert(occupied == me + 1); // SAFE
    occupied = 0;
    if (me == 0)
        while (atomic_load(&flag[other]) == 2 || atomic_load(&flag[other]) == 3) ;
    atomic_store(&flag[me], 0);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, visitor, (void *)0);
    pthread_create(&b, 0, visitor, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(flag[0] == 0 && flag[1] == 0); // SAFE
    assert(occupied == 0); // SAFE
    return 0;
}
