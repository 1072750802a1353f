// Two threads fill halves of a row, meet at a barrier, and read each other's half.
#include <assert.h>
#include <pthread.h>

#define HALF 3
static int row[2 * HALF], total[2];
static pthread_barrier_t barrier;

static void *fill(void *argument) {
    int me = (int)(long)argument;
    assert(me == 0 || me == 1); // SAFE
    for (int i = 0; i < HALF; i++)
        row[me * HALF + i] = i + 1;
    pthread_barrier_wait(&barrier);
    int other = 1 - me, sum = 0;
    for (int i = 0; i < HALF; i++) {
        assert(row[other * HALF + i] >= 0); // SAFE
        assert(row[other * HALF + i] == i + 1); // SAFE
        sum += row[other * HALF + i];
    }
    total[me] = sum;
    assert(total[me] == sum); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&a, 0, fill, (void *)0L);
    pthread_create(&b, 0, fill, (void *)1L);
    __goblint_check(row[0] == 1); // UNSAFE!
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(row[5] == 3); // SAFE
    assert(total[0] == 6); // SAFE
    assert(total[1] == 6); // SAFE
    return 0;
}
