// One byte as signed and as unsigned number.
#include <assert.h>
#include <pthread.h>

static union { signed char level; unsigned char raw; } reading;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
extern unsigned char __VERIFIER_nondet_uchar(void);

static void *sensor(void *unused) {
    unsigned char sample = __VERIFIER_nondet_uchar();
    pthread_mutex_lock(&lock);
    reading.raw = sample;
    if (sample < 128)
        assert(reading.level >= 0); // UNKNOWN (members that overlap)
    else
        assert(reading.level < 0); // UNKNOWN (members that overlap)
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *reset(void *unused) {
    pthread_mutex_lock(&lock);
    reading.level = -1;
    assert(reading.raw == 255); // SAFE
    reading.level = 7;
    assert(reading.raw == 7); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, sensor, 0);
    pthread_create(&b, 0, reset, 0);
    return 0;
}
