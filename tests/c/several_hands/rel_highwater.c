// ARGS: --properties assertion,data-race
// Memory accounting with a high-water mark: current <= peak <= limit.
#include <assert.h>
#include <pthread.h>

enum { LIMIT = 3000 };
static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static long current, peak, failures; // SAFE

static int charge(long n) {
    int rc = -1;
    pthread_mutex_lock(&mu);
    if (current + n <= LIMIT) {
        current += n;
        if (current > peak)
            peak = current;
        rc = 0;
    } else
        failures++;
    assert(current <= peak); // SAFE
    assert(peak <= LIMIT); // SAFE
    pthread_mutex_unlock(&mu);
    return rc;
}

static void uncharge(long n) {
    pthread_mutex_lock(&mu);
    current -= n;
    assert(current >= 0); // SAFE
    assert(peak - current >= n); // SAFE
    pthread_mutex_unlock(&mu);
}

static void *user(void *arg) {
    long size = 100;
    for (int i = 0; i < 10; i++) {
        if (charge(size) == 0)
            uncharge(size);
        size += 100;
    }
    return 0;
}

int main(void) {
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(t + i, 0, user, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    assert(current == 0); // SAFE
    assert(failures == 0); // UNSAFE!
    assert(peak <= LIMIT); // SAFE
    return 0;
}
