// ARGS: --properties assertion,array-bounds
// Cells stepped by threads of one stripe each, in rounds between barriers, from one grid into the other.
#include <assert.h>
#include <pthread.h>

#define STRIPES 2
#define WIDTH 3
#define CELLS (STRIPES * WIDTH)
#define ROUNDS 3

static int grid[2][CELLS];
static int rounds_done;
static pthread_barrier_t barrier;

static int neighbour(const int *row, int i) {
    if (i < 0 || i >= CELLS)
        return 0;
    return row[i]; // SAFE
}

static void *stripe(void *arg) {
    int id = (int)(long)arg;
    int from = id * WIDTH, to = from + WIDTH;
    assert(to <= CELLS); // SAFE
    for (int round = 0; round < ROUNDS; round++) {
        int *now = grid[round % 2], *next = grid[1 - round % 2]; // SAFE
        for (int i = from; i < to; i++) {
            int sum = neighbour(now, i - 1) + neighbour(now, i) + neighbour(now, i + 1);
            assert(sum >= 0); // SAFE
            assert(sum <= 3); // SAFE
            next[i] = sum == 2 || sum == 1; // SAFE
        }
        pthread_barrier_wait(&barrier);
        if (id == 0) {
            assert(rounds_done == round); // SAFE
            rounds_done++;
        }
        pthread_barrier_wait(&barrier);
        assert(rounds_done == round + 1); // SAFE
    }
    return 0;
}

int main(void) {
    pthread_t t[STRIPES];
    for (int i = 0; i < CELLS; i++)
        grid[0][i] = i % 2; // SAFE
    pthread_barrier_init(&barrier, 0, STRIPES);
    for (long i = 0; i < STRIPES; i++)
        pthread_create(&t[i], 0, stripe, (void *)i);
    for (int i = 0; i < STRIPES; i++)
        pthread_join(t[i], 0);
    assert(rounds_done == ROUNDS); // SAFE
    for (int i = 0; i < CELLS; i++)
        assert(grid[0][i] == 0 || grid[0][i] == 1); // SAFE
    int corner = grid[0][0]; // SAFE
    assert(corner == 2); // UNSAFE!
    return 0;
}
