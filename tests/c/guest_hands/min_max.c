// Smallest, largest, sum and number of readings that several threads report.
#include <assert.h>
#include <limits.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count, smallest = INT_MAX, largest = INT_MIN;
static long sum;

static void report(int v) {
    pthread_mutex_lock(&m);
    if (v < smallest)
        smallest = v;
    if (v > largest)
        largest = v;
    sum += v;
    count++;
    assert(smallest <= v && v <= largest); // SAFE
    assert(smallest <= largest); // SAFE
    assert(sum <= 40L * count); // SAFE
    assert(sum >= 10L * count); // SAFE
    pthread_mutex_unlock(&m);
}

struct source {
    int base, step, rounds;
};

static void *sample(void *arg) {
    struct source *s = arg;
    for (int i = 0; i < s->rounds; i++)
        report(s->base + i * s->step);
    pthread_mutex_lock(&m);
    assert(count >= s->rounds); // SAFE
    assert(smallest <= s->base); // SAFE
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    struct source up = {10, 5, 4}, down = {40, -6, 3};
    pthread_t a, b;
    pthread_create(&a, 0, sample, &up);
    pthread_create(&b, 0, sample, &down);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 7); // SAFE
    assert(smallest >= 10); // SAFE
    assert(largest <= 40); // SAFE
    assert(smallest == 10 && largest == 40); // SAFE
    assert(sum == 172); // SAFE
    assert(sum / count == 25); // UNSAFE!
    return 0;
}
