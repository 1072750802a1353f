// Two threads count under a lock, by atomic arithmetic, and in steps of two; when both are joined, all is counted.
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int locked;
static unsigned twice;
static atomic_int atomic;

static void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    locked++;
    assert(locked >= 1); // SAFE
    assert(locked <= 2); // SAFE
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(&atomic, 1);
    pthread_mutex_lock(&lock);
    twice = twice + 2;
    assert(twice == 2 || twice == 4); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    assert(locked == 0); // UNSAFE!
    assert(locked <= 2); // SAFE
    pthread_join(a, 0);
    assert(locked >= 1); // SAFE
    assert(locked == 1); // UNSAFE!
    pthread_join(b, 0);
    assert(locked == 2); // SAFE
    assert(atomic == 2); // SAFE
    assert(twice == 4); // SAFE
    return 0;
}
