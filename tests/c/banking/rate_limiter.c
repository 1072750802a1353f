// ARGS: --parameterized --entries request,refill
// A token bucket: requests take a token under the lock; the fast path without it may overdraw.
#include <pthread.h>
#include <assert.h>

#define BURST 5
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int tokens = BURST, fast_tokens = BURST;
static int refused;

void request(void) {
    int granted = 0;
    pthread_mutex_lock(&lock);
    if (tokens > 0) {
        tokens--;
        granted = 1;
    } else {
        refused = refused < 100 ? refused + 1 : 100;
    }
    assert(tokens >= 0); // SAFE
    assert(granted == 0 || granted == 1); // SAFE
    assert(refused >= 0 && refused <= 100); // SAFE
    pthread_mutex_unlock(&lock);
    if (fast_tokens > 3) {
        fast_tokens--;
        assert(fast_tokens >= 3); // UNSAFE!
    }
}

void refill(void) {
    pthread_mutex_lock(&lock);
    if (tokens < BURST) tokens++;
    assert(tokens <= BURST); // SAFE
    pthread_mutex_unlock(&lock);
}
