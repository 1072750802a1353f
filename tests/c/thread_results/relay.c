// Each runner waits for the one before and runs then: the last one tells that all have arrived.
#include <assert.h>
#include <pthread.h>

static pthread_t runners[3];
static int laps;

static void *first(void *unused) {
    laps = laps + 1;
    return 0;
}

static void *second(void *unused) {
    pthread_join(runners[0], 0);
    assert(laps == 1); // SAFE
    laps = laps + 1;
    return 0;
}

static void *third(void *unused) {
    pthread_join(runners[1], 0);
    assert(laps == 2); // SAFE
    laps = laps + 1;
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
    assert(laps == 3); // SAFE
    laps = 0;
    assert(laps == 0); // SAFE
    return 0;
}
