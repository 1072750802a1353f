// ARGS: --properties assertion,division-by-zero
// Two sensors write filtered readings; their mean is taken of those that are valid.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
static int left, right, left_valid, right_valid;

static int clamp(int value) {
    if (value < -1000) return -1000;
    if (value > 1000) return 1000;
    return value;
}

static void *sensor_left(void *unused) {
    left = clamp(__VERIFIER_nondet_int());
    left_valid = 1;
    return 0;
}

static void *sensor_right(void *unused) {
    int raw = __VERIFIER_nondet_int();
    if (raw < -500 || raw > 500) return 0;
    right = raw;
    right_valid = 1;
    return 0;
}

int main(void) {
    pthread_t a, b;
    int sum = 0, count = 0;
    pthread_create(&a, 0, sensor_left, 0);
    pthread_create(&b, 0, sensor_right, 0);
    if (left_valid) {
        sum += left;
        count++;
    }
    if (right_valid) {
        sum += right;
        count++;
    }
    assert(sum >= -1500 && sum <= 1500); // SAFE
    assert(count >= 0 && count <= 2); // SAFE
    if (count > 0) {
        int mean = sum / count; // SAFE
        assert(mean >= -1000 && mean <= 1000); // UNKNOWN (sum and count are related only by the branches)
    }
    int again = sum / (left_valid + right_valid); // UNSAFE!
    assert(again <= 1500); // SAFE
    return 0;
}
