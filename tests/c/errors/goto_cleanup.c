// Three resources are taken and given back in the opposite order; a shortcut forgets one.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t bus = PTHREAD_MUTEX_INITIALIZER;
static int clock_on, irq_on, buffer_used;

static int start(int hurried) {
    int result = -1;
    pthread_mutex_lock(&bus);
    clock_on = 1;
    if (__VERIFIER_nondet_int() < 0) goto stop_clock;
    irq_on = 1;
    if (hurried && __VERIFIER_nondet_int() < 0) goto stop_clock;
    if (__VERIFIER_nondet_int() < 0) goto stop_irq;
    buffer_used = 1;
    assert(clock_on == 1); // SAFE
    assert(irq_on == 1); // SAFE
    buffer_used = 0;
    result = 0;
stop_irq:
    irq_on = 0;
stop_clock:
    clock_on = 0;
    assert(buffer_used == 0); // SAFE
    pthread_mutex_unlock(&bus);
    return result;
}

static void *patient(void *unused) {
    int r = start(0);
    assert(r == 0 || r == -1); // SAFE
    return 0;
}

static void *hurried(void *unused) {
    start(1);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, patient, 0);
    pthread_create(&b, 0, hurried, 0);
    pthread_mutex_lock(&bus);
    assert(clock_on == 0); // SAFE
    assert(irq_on == 0); // UNSAFE!
    pthread_mutex_unlock(&bus);
    return 0;
}
