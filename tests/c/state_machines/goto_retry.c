// Retrying with goto, cleaning up backwards.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int power, clock_on;

void *bring_up(void *unused) {
    int tries = 0;
again:
    pthread_mutex_lock(&lock);
    power = 1;
    if (__VERIFIER_nondet_int()) goto no_clock;
    clock_on = 1;
    if (__VERIFIER_nondet_int()) goto no_device;
    assert(power == 1); // SAFE
    assert(clock_on == 1); // SAFE
no_device:
    clock_on = 0;
no_clock:
    power = 0;
    pthread_mutex_unlock(&lock);
    assert(power == 0); // UNSAFE!
    tries++;
    if (tries < 3) goto again;
    assert(tries == 3); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, bring_up, 0);
    pthread_create(&b, 0, bring_up, 0);
    pthread_mutex_lock(&lock);
    assert(clock_on == 0); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}
