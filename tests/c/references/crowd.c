// ARGS: --properties assertion,data-race,null-dereference,use-after-free
// As many references as threads are started, which is read at run time.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct job { atomic_int pending; int input; int output; };

static void *run(void *arg) {
    struct job *j = arg;
    assert(j->input == 1); // SAFE
    if (atomic_fetch_sub(&j->pending, 1) == 1) { // SAFE
        j->output = j->input; // SAFE
        free(j); // SAFE
    }
    return 0;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 4;
    if (n < 1 || n > 64)
        return 1;
    pthread_t *t = calloc(n, sizeof *t);
    struct job *j = malloc(sizeof *j);
    if (!t || !j)
        return 1;
    j->pending = n;
    j->input = 1;
    for (int i = 0; i < n; i++)
        pthread_create(&t[i], 0, run, j);
    for (int i = 0; i < n; i++)
        pthread_join(t[i], 0);
    return 0;
}
