// Two threads take turns with a counter: one moves it from even to odd, the other back to even.
#include <pthread.h>
#include <assert.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int phase;

static void *even(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        if (phase == 0) phase = 1;
        assert(phase == 1); // SAFE
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *odd(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        if (phase == 1) phase = 0;
        assert(phase == 0); // SAFE
        pthread_mutex_unlock(&lock);
        assert(phase == 0); // UNSAFE!
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, even, 0);
    pthread_create(&b, 0, odd, 0);
    assert(phase >= 0); // SAFE
    assert(phase <= 1); // SAFE
    return 0;
}
