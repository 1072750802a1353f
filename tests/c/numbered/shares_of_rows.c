// Rows are shared out: each thread is told where its own begin, and knows how many there are by a global.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static unsigned rows, share;
static _Atomic unsigned finished;

static void *work(void *first) {
    unsigned from = (unsigned)(uintptr_t)first;
    unsigned to = from + share;
    if (to > rows)
        to = rows;
    assert(from < rows); // SAFE
    assert(from < to); // SAFE
    assert(to <= rows); // SAFE
    finished += to - from;
    __goblint_check(to == rows); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t t[8];
    int started = 0;
    rows = 1 + rand() % 64;
    share = 10;
    for (unsigned i = 0; i < rows && started < 8; i += share)
        if (pthread_create(&t[started], 0, work, (void *)(uintptr_t)i) == 0)
            started++;
    while (started > 0)
        pthread_join(t[--started], 0);
    return 0;
}
