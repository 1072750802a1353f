// A cache that is refreshed by whoever gets the lock at once, read by all under a read/write lock.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t refreshing = PTHREAD_MUTEX_INITIALIZER;
static int version, copy, busy;

static void refresh(void) {
    if (pthread_mutex_trylock(&refreshing) != 0)
        return;
    assert(busy == 0); // SAFE
    busy = 1;
    int next = version + 1; /* nobody else writes */
    pthread_rwlock_wrlock(&rw);
    assert(version == next - 1); // SAFE
    version = next;
    copy = next;
    pthread_rwlock_unlock(&rw);
    assert(version == copy); // SAFE
    busy = 0;
    pthread_mutex_unlock(&refreshing);
}

static void *user(void *u) {
    int last = 0;
    for (int i = 0; i < 3; i++) {
        refresh();
        pthread_rwlock_rdlock(&rw);
        assert(version == copy); // SAFE
        assert(version >= last); // SAFE
        last = copy;
        pthread_rwlock_unlock(&rw);
    }
    assert(last <= 6); // SAFE
    return u;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, user, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(version <= 6); // SAFE
    assert(version == copy && busy == 0); // SAFE
    assert(version >= 1); // UNKNOWN (who comes first gets the lock)
    assert(version == 6); // UNSAFE!
    return 0;
}
