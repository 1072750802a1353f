// ARGS: --properties assertion,array-bounds
// Phases between barriers: each thread fills its half, then reads the half of the other, then one of them adds up.
#include <assert.h>
#include <pthread.h>

#define HALF 3
static pthread_barrier_t filled, compared;
static int cells[2 * HALF], larger[2], total;

static void *half(void *argument) {
    int me = *(int *)argument, other = 1 - me;
    assert(me == 0 || me == 1); // SAFE
    for (int i = 0; i < HALF; i++)
        cells[me * HALF + i] = 10 * me + i; // SAFE
    int early = cells[other * HALF + 1]; // SAFE
    __goblint_check(early != 0); // UNSAFE!
    pthread_barrier_wait(&filled);
    for (int i = 0; i < HALF; i++)
        if (cells[me * HALF + i] > cells[other * HALF + i]) // SAFE
            larger[me]++;
    assert(larger[me] <= HALF); // SAFE
    if (me == 1)
        assert(larger[me] == HALF); // SAFE
    pthread_barrier_wait(&compared);
    assert(larger[0] + larger[1] == HALF); // SAFE
    if (me == 0) {
        for (int i = 0; i < 2 * HALF; i++)
            total += cells[i]; // SAFE
        assert(total == 36); // SAFE
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    static int zero = 0, one = 1;
    pthread_barrier_init(&filled, 0, 2);
    pthread_barrier_init(&compared, 0, 2);
    pthread_create(&a, 0, half, &zero);
    pthread_create(&b, 0, half, &one);
    __goblint_check(total == 0); // UNSAFE!
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(total == 36); // SAFE
    assert(cells[0] == 0 && cells[5] == 12); // SAFE
    assert(larger[0] == 0); // SAFE
    return 0;
}
