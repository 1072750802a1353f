// A cache behind a read/write lock: readers compare the value with its key, writers replace both.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int key, value, hits, misses;
static pthread_mutex_t statistics = PTHREAD_MUTEX_INITIALIZER;

static int lookup(int wanted, int *result) {
    int found = 0;
    pthread_rwlock_rdlock(&lock);
    assert(value == key + 100 || key == 0); // SAFE
    if (key == wanted && key != 0) {
        *result = value;
        found = 1;
    }
    pthread_rwlock_unlock(&lock);
    return found;
}

static void *client(void *unused) {
    int result = 0, wanted = __VERIFIER_nondet_int();
    if (wanted <= 0 || wanted > 1000)
        return 0;
    if (lookup(wanted, &result)) {
        assert(result == wanted + 100); // SAFE
        pthread_mutex_lock(&statistics);
        hits++;
        pthread_mutex_unlock(&statistics);
    } else {
        pthread_rwlock_wrlock(&lock);
        key = wanted;
        value = wanted + 100;
        pthread_rwlock_unlock(&lock);
        pthread_mutex_lock(&statistics);
        misses++;
        pthread_mutex_unlock(&statistics);
    }
    __goblint_check(key == wanted); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, client, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(hits + misses <= 2); // SAFE
    assert(hits <= 1); // SAFE
    return 0;
}
