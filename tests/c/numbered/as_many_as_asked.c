// As many threads as the user asks for, each with a number below that; how many there are is in a global.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define MOST 32

static int threads;
static int slot[MOST];

static void *fill(void *arg) {
    long number = (long)arg;
    assert(number >= 0); // SAFE
    assert(number < threads); // SAFE
    assert(number < MOST); // SAFE
    slot[number] = threads - (int)number;
    __goblint_check(number < threads - 1); // UNSAFE!
    return NULL;
}

int main(void) {
    threads = rand() % 48;
    if (threads < 1 || threads > MOST)
        return 1;
    for (long i = 0; i < threads; i++) {
        pthread_t t;
        pthread_create(&t, NULL, fill, (void *)i);
    }
    return 0;
}
