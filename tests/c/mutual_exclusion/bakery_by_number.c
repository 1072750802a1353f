// Lamport's bakery for two threads, each with its own number as an argument.
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

#define N 2
static atomic_int choosing[N], number[N];
static int occupied;

static void *customer(void *argument) {
    int me = *(int *)argument, other = 1 - me;
    atomic_store(&choosing[me], 1);
    atomic_store(&number[me], atomic_load(&number[other]) + 1);
    atomic_store(&choosing[me], 0);
    while (atomic_load(&choosing[other])) ;
    for (;;) {
        int theirs = atomic_load(&number[other]);
        int mine = atomic_load(&number[me]);
        if (theirs == 0 || mine < theirs || (mine == theirs && me < other)) break;
    }
    assert(occupied == 0); // UNKNOWN (numbers of both must be compared at once)
    occupied = 1;
    assert(number[me] == 1); // UNSAFE!
    assert(occupied == 1); // UNKNOWN (numbers of both must be compared at once)
    occupied = 0;
    atomic_store(&number[me], 0);
    return 0;
}

int main(void) {
    pthread_t threads[N];
    int names[N];
    for (int i = 0; i < N; i++) {
        names[i] = i;
        pthread_create(&threads[i], 0, customer, &names[i]);
    }
    for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
    assert(number[0] == 0 && number[1] == 0); // SAFE
    assert(occupied == 0); // SAFE
    return 0;
}
