// Three cells of a grid, a thread for each: all read the old values, then all write the new ones, between barriers.
#include <assert.h>
#include <pthread.h>

#define N 3
#define ROUNDS 2

static pthread_barrier_t line;
static int cell[N] = { 3, 3, 3 };
static int rounds_done[N];

static void *relax(void *arg) {
    int me = (int)(long)arg;
    int next = (me + 1) % N;
    for (int r = 0; r < ROUNDS; r++) {
        int mine = cell[me], other = cell[next];
        // Everybody adds one a round, and nobody writes between the two barriers before which all read.
        assert(mine == 3 + r); // SAFE
        assert(other == 3 + r); // UNKNOWN (elements of other threads in rounds)
        pthread_barrier_wait(&line);
        cell[me] = (mine + other) / 2 + 1;
        rounds_done[me]++;
        assert(cell[me] == 4 + r); // SAFE
        assert(cell[next] == 4 + r); // UNSAFE!
        pthread_barrier_wait(&line);
        assert(rounds_done[next] == r + 1); // UNKNOWN (elements of other threads in rounds)
    }
    return 0;
}

int main(void) {
    pthread_t t[N];
    pthread_barrier_init(&line, 0, N);
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, relax, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(cell[0] == 3 + ROUNDS); // SAFE
    assert(rounds_done[0] + rounds_done[1] + rounds_done[2] == N * ROUNDS); // SAFE
    return 0;
}
