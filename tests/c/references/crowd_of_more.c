// ARGS: --properties assertion
// One thread more than there are references.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int pending;
static int value = 5;

static void *run(void *unused) {
    assert(value == 5); // UNSAFE!
    if (atomic_fetch_sub(&pending, 1) == 1)
        value = 0;
    return 0;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 2;
    pthread_t t;
    if (n < 1 || n > 64)
        return 1;
    pending = n;
    for (int i = 0; i <= n; i++)
        pthread_create(&t, 0, run, 0);
    return 0;
}
