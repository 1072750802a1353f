// ARGS: --properties assertion,array-bounds,data-race
// A histogram whose bins have locks of their own, and a total that is atomic.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define BINS 5

static int bin[BINS]; // SAFE
static pthread_mutex_t bin_lock[BINS];
static atomic_int samples;

static void record(int value) {
    int b = value / 10;
    if (b < 0)
        b = 0;
    if (b >= BINS)
        b = BINS - 1;
    pthread_mutex_lock(&bin_lock[b]);
    bin[b]++; // SAFE
    assert(bin[b] >= 1); // SAFE
    pthread_mutex_unlock(&bin_lock[b]);
    samples++;
}

static void *sensor(void *arg) {
    int start = *(int *)arg;
    for (int i = 0; i < 6; i++) {
        record(start + 9 * i);
        assert(samples >= 1); // SAFE
    }
    return 0;
}

int main(void) {
    pthread_t t[2];
    int starts[2] = {-5, 20};
    int sum = 0;
    for (int i = 0; i < BINS; i++)
        pthread_mutex_init(&bin_lock[i], 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, sensor, &starts[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    for (int i = 0; i < BINS; i++) {
        assert(bin[i] >= 0); // SAFE
        assert(bin[i] <= 12); // SAFE
        sum += bin[i];
    }
    assert(samples == 12); // SAFE
    assert(sum == samples); // SAFE
    assert(sum <= 60); // SAFE
    int lowest = bin[0]; // SAFE
    assert(lowest == 3); // UNSAFE!
    return 0;
}
