// A histogram whose bins share locks, a stripe of bins each.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define BINS 64
#define STRIPES 4
#define FULL 1000

static pthread_mutex_t stripes[STRIPES];
static int bins[BINS];
static int samples[STRIPES];

static void add(int value) {
    int bin = value < 0 ? 0 : value >= BINS ? BINS - 1 : value;
    int stripe = bin % STRIPES;
    assert(bin >= 0 && bin < BINS); // SAFE
    assert(stripe >= 0 && stripe < STRIPES); // SAFE
    pthread_mutex_lock(&stripes[stripe]);
    if (bins[bin] < FULL)
        bins[bin]++;
    assert(bins[bin] <= FULL); // UNKNOWN (a lock for several elements)
    if (samples[stripe] < 2 * FULL)
        samples[stripe]++;
    assert(samples[stripe] >= 1); // SAFE
    assert(samples[stripe] <= 2 * FULL); // SAFE
    pthread_mutex_unlock(&stripes[stripe]);
}

static int in_stripe(int stripe) {
    int sum = 0;
    pthread_mutex_lock(&stripes[stripe]);
    for (int bin = stripe; bin < BINS; bin += STRIPES) {
        assert(bins[bin] >= 0); // SAFE
        sum += bins[bin];
    }
    pthread_mutex_unlock(&stripes[stripe]);
    return sum;
}

static void *measure(void *arg) {
    (void)arg;
    for (int i = 0; i < 3; i++)
        add(rand() % 100 - 10);
    return NULL;
}

static void *report(void *arg) {
    int *total = arg;
    *total = 0;
    for (int stripe = 0; stripe < STRIPES; stripe++)
        *total += in_stripe(stripe);
    return NULL;
}

int main(void) {
    pthread_t meters[2], reporter;
    int total = -1;
    for (int i = 0; i < STRIPES; i++)
        pthread_mutex_init(&stripes[i], NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&meters[i], NULL, measure, NULL);
    pthread_create(&reporter, NULL, report, &total);
    for (int i = 0; i < 2; i++)
        pthread_join(meters[i], NULL);
    pthread_join(reporter, NULL);
    assert(total >= 0); // SAFE
    for (int i = 0; i < STRIPES; i++)
        pthread_mutex_destroy(&stripes[i]);
    return 0;
}
