// As phases.c, but a reset changes the phase and leaves the voltage.
#include <assert.h>
#include <pthread.h>

enum phase { OFF, ON };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum phase phase;
static int voltage;

static void *turn_on(void *unused) {
    pthread_mutex_lock(&lock);
    phase = ON;
    voltage = 12;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *reset(void *unused) {
    pthread_mutex_lock(&lock);
    phase = OFF;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, turn_on, 0);
    pthread_create(&b, 0, reset, 0);
    pthread_mutex_lock(&lock);
    if (phase == ON)
        __goblint_check(voltage == 12); // SAFE
    else
        __goblint_check(voltage == 0); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}
