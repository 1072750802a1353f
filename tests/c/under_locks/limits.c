// Limits are set before the threads start, by main alone, and never again: what a thread read of them long ago still holds.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static struct settings {
    int lowest, highest;
} settings;
static int level;
static pthread_mutex_t level_lock = PTHREAD_MUTEX_INITIALIZER;

static int clamp(int value, int lowest, int highest) {
    return value < lowest ? lowest : value > highest ? highest : value;
}

static void *controller(void *unused) {
    const int highest = settings.highest;
    for (int i = 0; i < 8; i++) {
        int wanted = __VERIFIER_nondet_int();
        pthread_mutex_lock(&level_lock);
        level = clamp(wanted, settings.lowest, highest);
        assert(level >= settings.lowest); // SAFE
        assert(level <= settings.highest); // SAFE
        pthread_mutex_unlock(&level_lock);
    }
    assert(highest == settings.highest); // SAFE
    return 0;
}

int main(void) {
    pthread_t t[2];
    settings.lowest = __VERIFIER_nondet_int();
    settings.highest = __VERIFIER_nondet_int();
    if (settings.lowest > settings.highest)
        exit(2);
    level = settings.lowest;
    pthread_create(&t[0], 0, controller, 0);
    pthread_create(&t[1], 0, controller, 0);
    pthread_mutex_lock(&level_lock);
    assert(level >= settings.lowest && level <= settings.highest); // SAFE
    pthread_mutex_unlock(&level_lock);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
