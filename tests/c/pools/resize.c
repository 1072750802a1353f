// A pool grows and shrinks between limits that a configuration thread changes at any time.
#include <pthread.h>
#include <assert.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int minimum = 1, maximum = 4;
static int size = 1;

static void *configure(void *unused) {
    pthread_mutex_lock(&lock);
    minimum = 2;
    maximum = 8;
    if (size < minimum) size = minimum;
    assert(minimum < maximum); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *grow(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        if (size < maximum) size++;
        assert(size <= maximum); // SAFE
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *shrink(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        if (size > minimum) size--;
        assert(size >= minimum); // SAFE
        assert(size >= 1); // SAFE
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, configure, 0);
    pthread_create(&b, 0, grow, 0);
    pthread_create(&c, 0, shrink, 0);
    assert(minimum >= 1); // SAFE
    assert(maximum <= 8); // SAFE
    assert(size <= 4); // UNSAFE!
    return 0;
}
