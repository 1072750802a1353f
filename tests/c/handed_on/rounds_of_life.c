// ARGS: --properties assertion,overflow
// Two halves compute in rounds between barriers: nobody is more than one round ahead, and rounds are equal behind one.
#include <assert.h>
#include <pthread.h>

#define ROUNDS 4
static pthread_barrier_t computed, read;
static int done[2];
static int value[2] = {1, 1};

static void *half(void *argument) {
    int me = *(int *)argument, other = 1 - me;
    for (int round = 1; round <= ROUNDS; round++) {
        value[me] = value[me] + 1; // SAFE
        done[me] = round;
        pthread_barrier_wait(&computed);
        assert(done[0] == done[1]); // UNKNOWN (rounds between barriers)
        assert(done[other] == round); // UNKNOWN (rounds between barriers)
        assert(value[other] == round + 1); // UNKNOWN (rounds between barriers)
        pthread_barrier_wait(&read);
        assert(done[other] >= round && done[other] <= round + 1); // SAFE
        __goblint_check(done[other] == round); // UNSAFE!
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    static int zero = 0, one = 1;
    pthread_barrier_init(&computed, 0, 2);
    pthread_barrier_init(&read, 0, 2);
    pthread_create(&a, 0, half, &zero);
    pthread_create(&b, 0, half, &one);
    int seen = done[0];
    assert(seen >= 0 && seen <= ROUNDS); // SAFE
    assert(done[0] >= seen); // SAFE
    __goblint_check(done[1] >= seen); // UNSAFE!
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(done[0] == ROUNDS && done[1] == ROUNDS); // SAFE
    assert(value[0] == ROUNDS + 1); // SAFE
    return 0;
}
