// ARGS: --properties assertion,division-by-zero
// A calibration computes slope and offset; readers use whatever is there, which must never divide by zero.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int span = 100, offset;
static int raw_span = 10;

static void *calibrate(void *unused) {
    int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
    if (low < 0 || high > 1000 || low >= high) return 0;
    int width = high - low;
    pthread_mutex_lock(&lock);
    span = width;
    offset = low;
    assert(span > 0); // SAFE
    pthread_mutex_unlock(&lock);
    raw_span = low;
    return 0;
}

static void *convert(void *unused) {
    int reading = __VERIFIER_nondet_int();
    if (reading < 0 || reading > 1000) return 0;
    pthread_mutex_lock(&lock);
    int shifted = reading - offset;
    int result = shifted * 100 / span; // SAFE
    pthread_mutex_unlock(&lock);
    assert(shifted <= 1000); // SAFE
    result = reading / raw_span; // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, calibrate, 0);
    pthread_create(&b, 0, convert, 0);
    assert(offset >= 0); // SAFE
    return 0;
}
