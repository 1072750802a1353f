// A hash table that grows when it is three quarters full: 4 * used <= 3 * size between calls.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int size = 8, used, resizes;

static void insert(void) {
    pthread_rwlock_wrlock(&lock);
    if (4 * (used + 1) > 3 * size) {
        if (size >= 1024) {
            pthread_rwlock_unlock(&lock);
            return;
        }
        size *= 2;
        resizes++;
    }
    used++;
    assert(4 * used <= 3 * size); // SAFE
    pthread_rwlock_unlock(&lock);
}

static void erase(void) {
    pthread_rwlock_wrlock(&lock);
    if (used > 0)
        used--;
    pthread_rwlock_unlock(&lock);
}

static void *worker(void *arg) {
    for (int i = 0; i < 200; i++) {
        insert();
        if (i % 4 == 0)
            erase();
    }
    return arg;
}

static void *observer(void *arg) {
    pthread_rwlock_rdlock(&lock);
    int u = used, s = size;
    pthread_rwlock_unlock(&lock);
    assert(u < s); // SAFE
    assert(s >= 8); // SAFE
    assert(4 * u <= 3 * s); // SAFE
    int slack = 3 * s - 4 * u;
    assert(slack >= 0); // SAFE
    return arg;
}

int main(void) {
    pthread_t w[2], o;
    pthread_create(&w[0], 0, worker, 0);
    pthread_create(&w[1], 0, worker, 0);
    pthread_create(&o, 0, observer, 0);
    pthread_join(w[0], 0);
    pthread_join(w[1], 0);
    pthread_join(o, 0);
    assert(size <= 1024); // UNKNOWN (a number that is doubled)
    assert(used <= 768); // SAFE
    assert(size == 1024); // UNSAFE!
    return 0;
}
