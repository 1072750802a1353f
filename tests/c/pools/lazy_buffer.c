// A buffer is allocated by the first user, under a lock; a reader without it may come too early.
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *buffer;
static int ready, size;

static void ensure(void) {
    pthread_mutex_lock(&lock);
    if (!ready) {
        buffer = malloc(16 * sizeof *buffer);
        if (buffer) {
            size = 16;
            ready = 1;
        }
    }
    assert(size == 0 || size == 16); // SAFE
    pthread_mutex_unlock(&lock);
}

static void *user(void *unused) {
    ensure();
    pthread_mutex_lock(&lock);
    if (ready) {
        assert(size == 16); // SAFE
        assert(buffer != 0); // SAFE
    }
    pthread_mutex_unlock(&lock);
    assert(size <= 16); // SAFE
    return 0;
}

static void *early(void *unused) {
    assert(size == 16); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, user, 0);
    pthread_create(&c, 0, early, 0);
    pthread_join(a, 0);
    assert(ready <= 1); // SAFE
    return 0;
}
