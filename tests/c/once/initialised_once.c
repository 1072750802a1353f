// The function runs once, and nobody goes on before it has run.
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

pthread_once_t control = PTHREAD_ONCE_INIT;
int table, runs;

static void prepare(void) {
    runs = runs + 1;
    assert(runs == 1); // SAFE
    table = 5;
}

void *user(void *unused) {
    __goblint_check(table == 5); // UNSAFE!
    pthread_once(&control, prepare);
    assert(table == 5); // SAFE
    assert(runs <= 1); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    if (pthread_create(&a, 0, user, 0)) exit(1);
    if (pthread_create(&b, 0, user, 0)) exit(1);
    if (pthread_create(&c, 0, user, 0)) exit(1);
    return 0;
}
