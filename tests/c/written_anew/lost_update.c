// Statistics of which one is counted outside of the lock: that one may lose updates, the others may not.
#include <assert.h>
#include <pthread.h>

#define ROUNDS 3
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int requests, bytes, errors;

static void *serve(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        requests++;
        bytes += 100;
        assert(bytes == 100 * requests); // SAFE
        assert(requests > i); // SAFE
        pthread_mutex_unlock(&lock);
        errors++; // not under the lock
        assert(errors >= 0); // SAFE
    }
    pthread_mutex_lock(&lock);
    assert(requests >= ROUNDS); // SAFE
    assert(bytes >= 100 * ROUNDS); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, serve, 0);
    pthread_create(&b, 0, serve, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(requests == 2 * ROUNDS); // SAFE
    assert(bytes == 200 * ROUNDS); // SAFE
    assert(errors <= 2 * ROUNDS); // UNKNOWN (updates that may be lost)
    assert(errors == 2 * ROUNDS); // UNSAFE!
    return 0;
}
