// ARGS: --properties assertion,array-bounds
// Two rounds with a barrier between writing and reading.
#include <pthread.h>
#include <assert.h>
static pthread_barrier_t b; static int cell[2];
static void *w(void *arg) {
    int me = arg != 0;
    for (int r = 1; r <= 3; r++) {
        cell[me] = r; // SAFE
        pthread_barrier_wait(&b);
        int other = cell[1 - me]; // SAFE
        assert(other >= 1 && other <= 3); // SAFE
        assert(other == r); // UNKNOWN (rounds of barriers)
        pthread_barrier_wait(&b);
    }
    return 0;
}
int main(void) {
    pthread_t x, y;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&x, 0, w, 0); pthread_create(&y, 0, w, (void *)1);
    pthread_join(x, 0); pthread_join(y, 0);
    assert(cell[0] == 3 && cell[1] == 3); // SAFE
    return 0;
}
