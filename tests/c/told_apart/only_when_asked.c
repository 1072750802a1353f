// A function that is told whether its caller has the lock already.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int in_use, available = 8;

static int take(int is_locked) {
    int granted = 0;
    if (!is_locked)
        pthread_mutex_lock(&lock);
    if (available > 0) {
        available--;
        in_use++;
        granted = 1;
    }
    assert(in_use + available == 8); // SAFE
    if (!is_locked)
        pthread_mutex_unlock(&lock);
    return granted;
}

static void *one(void *unused) {
    take(0);
    return 0;
}

static void *pair(void *unused) {
    pthread_mutex_lock(&lock);
    if (take(1)) {
        assert(in_use > 0); // SAFE
        take(1);
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, pair, 0);
    return 0;
}
