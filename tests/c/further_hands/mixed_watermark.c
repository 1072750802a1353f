// A high-water mark and a low one around what is in a tank.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static struct {
    pthread_mutex_t lock;
    int level, high, low;
    bool closed;
} tank = { PTHREAD_MUTEX_INITIALIZER, 50, 50, 50, false };

static int change(int by) {
    int now;
    pthread_mutex_lock(&tank.lock);
    if (tank.closed) {
        pthread_mutex_unlock(&tank.lock);
        return -1;
    }
    now = tank.level + by;
    if (now < 0)
        now = 0;
    if (now > 100)
        now = 100;
    tank.level = now;
    if (now > tank.high)
        tank.high = now;
    if (now < tank.low)
        tank.low = now;
    assert(tank.low <= tank.level && tank.level <= tank.high); // SAFE
    pthread_mutex_unlock(&tank.lock);
    return now;
}

static void *filler(void *u) {
    int high = 0;
    for (int i = 0; i < 10; i++) {
        int now = change(7);
        assert(now <= 100); // SAFE
        if (now > high)
            high = now;
    }
    pthread_mutex_lock(&tank.lock);
    assert(high <= tank.high); // SAFE
    pthread_mutex_unlock(&tank.lock);
    return u;
}

static void *drain(void *u) {
    for (int i = 0; i < 10; i++) {
        int now = change(-9);
        assert(now >= -1); // SAFE
    }
    return u;
}

int main(void) {
    pthread_t f, d;
    pthread_create(&f, 0, filler, 0);
    pthread_create(&d, 0, drain, 0);
    pthread_mutex_lock(&tank.lock);
    tank.closed = true;
    int at_close = tank.level, high = tank.high;
    pthread_mutex_unlock(&tank.lock);
    pthread_join(f, 0);
    pthread_join(d, 0);
    assert(tank.level == at_close); // SAFE
    assert(tank.high == high); // SAFE
    assert(tank.high - tank.low <= 100); // SAFE
    assert(tank.low <= 50 && tank.high >= 50); // SAFE
    assert(tank.low == 50 || tank.high == 50); // UNSAFE!
    return 0;
}
