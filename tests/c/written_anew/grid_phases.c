// Two halves of a grid in two phases: each thread writes its half, waits, reads the other half, waits, and adds up.
#include <assert.h>
#include <pthread.h>

#define HALF 2
static pthread_barrier_t barrier;
static int cells[2 * HALF], sums[2];
static int total;

static void *half(void *argument) {
    int me = argument ? 1 : 0, other = 1 - me;
    for (int i = 0; i < HALF; i++)
        cells[me * HALF + i] = 1 + me;
    pthread_barrier_wait(&barrier);
    int seen = 0;
    for (int i = 0; i < HALF; i++)
        seen += cells[other * HALF + i];
    assert(seen == HALF * (1 + other)); // SAFE
    sums[me] = seen;
    __goblint_check(sums[other] != 0); // UNSAFE!
    pthread_barrier_wait(&barrier);
    assert(sums[0] == 2 * HALF); // SAFE
    assert(sums[1] == HALF); // SAFE
    if (me == 0)
        total = sums[0] + sums[1];
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&a, 0, half, 0);
    pthread_create(&b, 0, half, &total);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(total == 3 * HALF); // SAFE
    assert(cells[0] == 1 && cells[3] == 2); // SAFE
    return 0;
}
