// A worker may start a helper and waits for it only if there is work left for both; main waits for the worker alone.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int pieces, total;

static void *help(void *unused) {
    pieces = 3;
    return 0;
}

static void *work(void *unused) {
    pthread_t helper;
    if (pthread_create(&helper, 0, help, 0))
        return 0;
    if (rand() % 2)
        pthread_join(helper, 0);
    total = 10;
    return 0;
}

int main(void) {
    pthread_t worker;
    if (pthread_create(&worker, 0, work, 0))
        return 1;
    pthread_join(worker, 0);
    assert(total == 10 || total == 0); // SAFE
    pieces = 8;
    assert(pieces == 8); // UNSAFE!
    assert(pieces == 8 || pieces == 3); // SAFE
    return 0;
}
