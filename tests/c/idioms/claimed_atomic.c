// ARGS: --properties assertion,data-race,array-bounds
// Tickets drawn by an atomic addition: each one is drawn once.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 16
static atomic_int next;
static int seen[N]; // SAFE
static long cells[2 * N]; // SAFE

static void *worker(void *unused) {
    int i;
    while ((i = atomic_fetch_add(&next, 1)) < N) {
        seen[i]++; // SAFE
        cells[2 * i] = i;
        cells[2 * i + 1] = -i;
        assert(cells[2 * i] == i); // UNKNOWN (what a thread has written to an element that is its own)
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    for (int k = 0; k < N; k++)
        assert(seen[k] <= 1); // UNKNOWN (what a thread has written to an element that is its own)
    return 0;
}
