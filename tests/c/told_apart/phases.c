// A device goes through phases; in each of them its registers hold what belongs to the phase.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
enum phase { OFF, STARTING, ON, FAILED };
static struct device {
    pthread_mutex_t lock;
    enum phase phase;
    int voltage, errors;
} device = {PTHREAD_MUTEX_INITIALIZER, OFF, 0, 0};

static void step(struct device *d) {
    switch (d->phase) {
    case OFF:
        d->phase = STARTING;
        d->voltage = 3;
        break;
    case STARTING:
        if (__VERIFIER_nondet_int()) {
            d->phase = FAILED;
            d->voltage = 0;
            d->errors = 1;
        } else {
            d->phase = ON;
            d->voltage = 12;
        }
        break;
    case ON:
    case FAILED:
        d->phase = OFF;
        d->voltage = d->errors = 0;
        break;
    }
}

static void *driver(void *unused) {
    for (int i = 0; i < 6; i++) {
        pthread_mutex_lock(&device.lock);
        step(&device);
        pthread_mutex_unlock(&device.lock);
    }
    return 0;
}

static void *monitor(void *unused) {
    pthread_mutex_lock(&device.lock);
    if (device.phase == ON)
        assert(device.voltage == 12 && device.errors == 0); // SAFE
    if (device.phase == FAILED)
        assert(device.errors == 1); // SAFE
    if (device.phase != FAILED)
        assert(device.errors == 0); // SAFE
    assert(device.voltage == 0 || device.voltage == 3 || device.voltage == 12); // SAFE
    pthread_mutex_unlock(&device.lock);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, driver, 0);
    pthread_create(&b, 0, driver, 0);
    pthread_create(&c, 0, monitor, 0);
    return 0;
}
