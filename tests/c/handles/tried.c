// Whether a thread has ended can be asked without waiting.
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

int done;

void *worker(void *unused) {
    done = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    if (pthread_create(&t, 0, worker, 0)) exit(1);
    if (pthread_tryjoin_np(t, 0) == 0) {
        assert(done == 1); // SAFE (needs refinement)
    } else {
        __goblint_check(done == 1); // UNSAFE!
    }
    return 0;
}
