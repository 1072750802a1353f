// A pool of buffers of which one way out forgets to give its buffer back: at the end some are missing.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define BUFFERS 4
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int left = BUFFERS, failures;

static int take(void) {
    int got = 0;
    pthread_mutex_lock(&lock);
    if (left > 0) {
        left--;
        got = 1;
    }
    assert(left >= 0); // SAFE
    pthread_mutex_unlock(&lock);
    return got;
}

static void give(void) {
    pthread_mutex_lock(&lock);
    left++;
    assert(left <= BUFFERS); // SAFE
    assert(left >= 1); // SAFE
    pthread_mutex_unlock(&lock);
}

static void *handler(void *unused) {
    if (!take())
        return 0;
    if (rand() % 8 == 0) {
        pthread_mutex_lock(&lock);
        failures++;
        assert(left < BUFFERS); // SAFE
        pthread_mutex_unlock(&lock);
        return 0; // here it is forgotten
    }
    give();
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, handler, 0);
    pthread_create(&b, 0, handler, 0);
    pthread_mutex_lock(&lock);
    assert(left >= 2); // SAFE
    assert(failures <= 2); // SAFE
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(left + failures == BUFFERS); // SAFE
    assert(left == BUFFERS); // UNSAFE!
    return 0;
}
