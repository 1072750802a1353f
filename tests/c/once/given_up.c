// A thread that ends inside of the function has not run it: another one may.
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdbool.h>

bool __VERIFIER_nondet_bool(void);

pthread_once_t control = PTHREAD_ONCE_INIT;
int attempts, done;

static void prepare(void) {
    attempts = attempts + 1;
    __goblint_check(attempts == 1); // UNSAFE!
    if (__VERIFIER_nondet_bool()) pthread_exit(0);
    done = 1;
}

void *user(void *unused) {
    pthread_once(&control, prepare);
    assert(done == 1); // SAFE (needs refinement)
    return 0;
}

int main(void) {
    pthread_t a, b;
    if (pthread_create(&a, 0, user, 0)) exit(1);
    if (pthread_create(&b, 0, user, 0)) exit(1);
    return 0;
}
