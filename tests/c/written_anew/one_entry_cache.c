// A cache of one entry under a read/write lock: readers look, who misses fills it, an invalidator empties it.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static bool is_valid;
static int key, value, fills, drops;

static int slow_square(int k) {
    return k * k;
}

static int lookup(int k) {
    int result = -1;
    pthread_rwlock_rdlock(&lock);
    if (is_valid && key == k) {
        result = value;
        assert(result >= 0); // SAFE
        assert(fills > drops); // SAFE
    }
    pthread_rwlock_unlock(&lock);
    if (result >= 0)
        return result;
    result = slow_square(k);
    pthread_rwlock_wrlock(&lock);
    if (!is_valid) {
        is_valid = true;
        key = k;
        value = result;
        fills++;
    }
    assert(is_valid); // SAFE
    assert(key >= 0 && key <= 3); // SAFE
    pthread_rwlock_unlock(&lock);
    return result;
}

static void *user(void *unused) {
    for (int i = 0; i < 2; i++) {
        int k = rand() % 4;
        int r = lookup(k);
        assert(r >= 0); // SAFE
        assert(r <= 9); // SAFE
        __goblint_check(r != 9); // UNSAFE!
    }
    return 0;
}

static void *invalidator(void *unused) {
    pthread_rwlock_wrlock(&lock);
    if (is_valid) {
        is_valid = false;
        drops++;
        assert(drops <= fills); // SAFE
    }
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, user, 0);
    pthread_create(&c, 0, invalidator, 0);
    pthread_join(c, 0);
    pthread_rwlock_rdlock(&lock);
    assert(drops <= 1); // SAFE
    assert(drops >= 0 && fills >= drops); // SAFE
    pthread_rwlock_unlock(&lock);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(fills >= 1); // SAFE
    assert(fills <= 2); // SAFE
    return 0;
}
