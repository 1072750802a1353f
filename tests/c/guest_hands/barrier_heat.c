// ARGS: --properties assertion,array-bounds
// A rod of cells, two workers with a half each, rounds kept apart by a barrier.
#include <assert.h>
#include <pthread.h>

#define CELLS 8
#define ROUNDS 3

static int now[CELLS + 2], next[CELLS + 2];
static pthread_barrier_t barrier;
static int rounds_done[2];

struct half {
    int id, lo, hi;
};

static void *worker(void *arg) {
    struct half *h = arg;
    for (int r = 0; r < ROUNDS; r++) {
        for (int i = h->lo; i <= h->hi; i++)
            next[i] = (now[i - 1] + now[i] + now[i + 1]) / 3; // SAFE
        pthread_barrier_wait(&barrier);
        for (int i = h->lo; i <= h->hi; i++) {
            now[i] = next[i]; // SAFE
            assert(now[i] >= 0); // SAFE
            assert(now[i] <= 90); // SAFE
        }
        rounds_done[h->id] = r + 1; // SAFE
        pthread_barrier_wait(&barrier);
        assert(rounds_done[0] == r + 1); // UNKNOWN (elements in rounds between barriers)
        assert(rounds_done[0] == rounds_done[1]); // UNKNOWN (elements in rounds between barriers)
        pthread_barrier_wait(&barrier);
    }
    return 0;
}

int main(void) {
    pthread_t t[2];
    struct half halves[2] = {{0, 1, 4}, {1, 5, 8}};
    pthread_barrier_init(&barrier, 0, 2);
    now[0] = 90;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, worker, &halves[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(now[0] == 90); // UNKNOWN (elements that the bounds of each part leave out)
    assert(now[CELLS + 1] == 0); // UNKNOWN (elements that the bounds of each part leave out)
    assert(rounds_done[1] == ROUNDS); // SAFE
    int end = now[1]; // SAFE
    assert(end == 0); // UNSAFE!
    return 0;
}
