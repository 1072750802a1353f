// A watchdog counts down; the kicker reloads it, the timer fires at zero only once.
#include <pthread.h>
#include <assert.h>

#define RELOAD 5
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int remaining = RELOAD, fired, kicks;

static void *timer(void *unused) {
    for (int tick = 0; tick < 12; tick++) {
        pthread_mutex_lock(&lock);
        if (remaining > 0) {
            remaining--;
            if (remaining == 0) fired = 1;
        }
        assert(remaining >= 0); // SAFE
        assert(remaining <= RELOAD); // SAFE
        assert(fired == 0 || remaining == 0); // UNSAFE!
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *kicker(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        remaining = RELOAD;
        if (kicks < 3) kicks++;
        assert(remaining == RELOAD); // SAFE
        pthread_mutex_unlock(&lock);
        assert(remaining == RELOAD); // UNSAFE!
    }
    assert(kicks == 3); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, timer, 0);
    pthread_create(&b, 0, kicker, 0);
    assert(fired >= 0); // SAFE
    assert(kicks <= 3); // SAFE
    return 0;
}
