// A device's power state moves along OFF, RESET, READY, SUSPENDED, always under its lock.
#include <pthread.h>
#include <assert.h>

enum power { OFF, RESET, READY, SUSPENDED };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum power power = OFF;
static int voltage, transfers;

static void *manager(void *unused) {
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&lock);
        switch (power) {
        case OFF: voltage = 33; power = RESET; break;
        case RESET: power = READY; break;
        case READY: power = SUSPENDED; voltage = 12; break;
        case SUSPENDED: voltage = 33; power = READY; break;
        default: reach_error(); // UNREACHABLE
        }
        assert(voltage == 12 || voltage == 33); // SAFE
        assert(power != OFF); // SAFE
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *transfer(void *unused) {
    pthread_mutex_lock(&lock);
    if (power == READY) {
        assert(voltage >= 12); // SAFE
        assert(voltage == 33); // SAFE (needs refinement)
        if (transfers < 10) transfers++;
    } else {
        assert(voltage == 0); // UNSAFE!
    }
    pthread_mutex_unlock(&lock);
    assert(transfers >= 0); // SAFE
    if (power == READY)
        assert(voltage == 33); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, manager, 0);
    pthread_create(&b, 0, transfer, 0);
    pthread_create(&c, 0, transfer, 0);
    pthread_join(a, 0);
    assert(voltage <= 33); // SAFE
    return 0;
}
