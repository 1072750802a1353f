// As relay.c, but the second runner starts without the first one: who waits for the last need not have waited for that.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_t runners[3];
static int first_done, second_done, third_done;

static void *first(void *unused) {
    first_done = 1;
    return 0;
}

static void *second(void *unused) {
    if (rand() % 2)
        pthread_join(runners[0], 0);
    second_done = 1;
    return 0;
}

static void *third(void *unused) {
    pthread_join(runners[1], 0);
    assert(second_done == 1); // SAFE
    third_done = 1;
    return 0;
}

int main(void) {
    if (pthread_create(&runners[0], 0, first, 0))
        return 1;
    if (pthread_create(&runners[1], 0, second, 0))
        return 1;
    if (pthread_create(&runners[2], 0, third, 0))
        return 1;
    pthread_join(runners[2], 0);
    assert(second_done + third_done == 2); // SAFE
    assert(first_done == 1); // UNSAFE!
    return 0;
}
