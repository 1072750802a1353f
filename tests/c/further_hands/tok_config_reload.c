// Readers of a configuration under a lock for reading; one reloads it, and trades its lock on the way.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static struct { int version; int min, max; } config = { 1, 0, 10 };

static void *reader(void *unused) {
    pthread_rwlock_rdlock(&rw);
    int v = config.version;
    int span = config.max - config.min;
    assert(span == 10 * v); // SAFE
    assert(config.version == v); // SAFE
    pthread_rwlock_unlock(&rw);
    pthread_rwlock_rdlock(&rw);
    assert(config.version >= v); // SAFE
    assert(config.version == v); // UNSAFE!
    pthread_rwlock_unlock(&rw);
    return unused;
}

static void *reload(void *unused) {
    pthread_rwlock_rdlock(&rw);
    int seen = config.version;
    pthread_rwlock_unlock(&rw);
    if (seen >= 8)
        return 0;
    pthread_rwlock_wrlock(&rw);
    if (config.version == seen) {
        config.version = seen + 1;
        config.max = config.min + 10 * config.version;
    }
    assert(config.version > seen); // SAFE
    assert(config.version <= 8); // SAFE
    pthread_rwlock_unlock(&rw);
    return unused;
}

int main(void) {
    pthread_t t;
    for (;;) {
        pthread_create(&t, 0, reader, 0);
        pthread_create(&t, 0, reload, 0);
    }
}
