// ARGS: --properties assertion,array-bounds,null-dereference
// An array of the heap, whose length is an argument: element k belongs to thread k.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static long *result;
static int n_threads;

static void *compute(void *arg) {
    long id = (long)arg;
    assert(id >= 0); // SAFE
    assert(id < n_threads); // SAFE
    result[id] = id + 100; // UNKNOWN (what the elements of an array are by their indices)
    assert(result[id] >= 100); // UNKNOWN (what the elements of an array are by their indices)
    return 0;
}

int main(int argc, char **argv) {
    n_threads = argc > 1 ? atoi(argv[1]) : 4;
    if (n_threads < 1 || n_threads > 64)
        return 1;
    result = calloc(n_threads, sizeof *result);
    pthread_t *t = malloc(n_threads * sizeof *t);
    if (!result || !t)
        return 1;
    for (long i = 0; i < n_threads; i++)
        if (pthread_create(&t[i], 0, compute, (void *)i)) // SAFE
            abort();
    for (int i = 0; i < n_threads; i++)
        pthread_join(t[i], 0);
    for (int i = 0; i < n_threads; i++) {
        assert(result[i] >= 100); // UNKNOWN (what the elements of an array are by their indices)
        assert(result[i] < 164); // SAFE
    }
    free(result);
    free(t);
    return 0;
}
