// ARGS: --properties assertion,data-race
// A read/write lock: readers count themselves, a writer is alone, and who has given it back may have it again.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int readers, writers;
static int low, high = 10; // SAFE

static void *reader(void *unused) {
    pthread_rwlock_rdlock(&lock);
    atomic_fetch_add(&readers, 1);
    assert(atomic_load(&readers) >= 1); // SAFE
    assert(atomic_load(&writers) == 0); // SAFE
    int span = high - low;
    assert(span == 10); // UNKNOWN (a difference that readers see under a read/write lock)
    __goblint_check(atomic_load(&readers) == 1); // UNSAFE!
    atomic_fetch_sub(&readers, 1);
    pthread_rwlock_unlock(&lock);
    return 0;
}

static void *writer(void *unused) {
    if (__VERIFIER_nondet_bool())
        pthread_rwlock_wrlock(&lock);
    else if (pthread_rwlock_trywrlock(&lock) != 0)
        return 0;
    atomic_fetch_add(&writers, 1);
    assert(atomic_load(&readers) == 0); // SAFE
    assert(atomic_load(&writers) == 1); // SAFE
    assert(pthread_rwlock_tryrdlock(&lock) != 0); // SAFE
    low = low < 50 ? low + 1 : 0;
    high = low + 10;
    atomic_fetch_sub(&writers, 1);
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t r[2], w[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&r[i], 0, reader, 0);
        pthread_create(&w[i], 0, writer, 0);
    }
    __goblint_check(atomic_load(&readers) == 0); // UNSAFE!
    for (int i = 0; i < 2; i++) {
        pthread_join(r[i], 0);
        pthread_join(w[i], 0);
    }
    assert(atomic_load(&readers) == 0 && atomic_load(&writers) == 0); // SAFE
    assert(pthread_rwlock_trywrlock(&lock) == 0); // SAFE
    assert(high - low == 10); // SAFE
    pthread_rwlock_unlock(&lock);
    assert(pthread_rwlock_tryrdlock(&lock) == 0); // SAFE
    return 0;
}
