// ARGS: --parameterized --entries raise,lower,sample
// Pins in one register: read, modify, write under a lock in two functions, without in a third.
#include <pthread.h>
#include <assert.h>

#define LED 0x1u
#define MOTOR 0x2u
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned pins;
static int motor_on;

void raise(void) {
    pthread_mutex_lock(&lock);
    pins = pins | LED;
    assert(pins >= 1); // SAFE
    pthread_mutex_unlock(&lock);
}

void lower(void) {
    pthread_mutex_lock(&lock);
    pins = pins & ~LED;
    assert((pins & LED) == 0); // SAFE
    motor_on = (pins & MOTOR) != 0;
    pthread_mutex_unlock(&lock);
}

void sample(void) {
    unsigned seen = pins;
    assert(motor_on == 0 || motor_on == 1); // SAFE
    assert((seen & 0xf) <= 0xf); // SAFE
    assert((pins & LED) == (seen & LED)); // UNSAFE!
    assert(pins <= 3); // SAFE
}
