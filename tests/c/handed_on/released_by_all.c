// ARGS: --properties assertion
// A read/write lock that everybody has given back is free; one that somebody may have kept is not.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
static pthread_rwlock_t kept = PTHREAD_RWLOCK_INITIALIZER, returned = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *reader(void *unused) {
    pthread_rwlock_rdlock(&returned);
    pthread_rwlock_rdlock(&kept);
    int seen = value;
    if (seen == 0)
        pthread_rwlock_unlock(&kept);
    pthread_rwlock_unlock(&returned);
    return 0;
}

static void *writer(void *unused) {
    pthread_rwlock_wrlock(&returned);
    value = __VERIFIER_nondet_bool();
    pthread_rwlock_unlock(&returned);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_create(&c, 0, writer, 0);
    __goblint_check(pthread_rwlock_trywrlock(&returned) != 0 || pthread_rwlock_unlock(&returned) != 0); // UNSAFE!
    pthread_join(a, 0);
    pthread_join(c, 0);
    __goblint_check(pthread_rwlock_trywrlock(&returned) == 0 && pthread_rwlock_unlock(&returned) == 0); // UNSAFE!
    pthread_join(b, 0);
    assert(pthread_rwlock_trywrlock(&returned) == 0); // SAFE
    __goblint_check(pthread_rwlock_trywrlock(&kept) == 0); // UNSAFE!
    return 0;
}
