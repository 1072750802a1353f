// As readers_out.c, but who has the lock for reading writes.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int hits, served;

static void *reader(void *unused) {
    pthread_rwlock_rdlock(&lock);
    hits++;
    served++;
    pthread_rwlock_unlock(&lock);
    return 0;
}

static void *writer(void *unused) {
    pthread_rwlock_wrlock(&lock);
    __goblint_check(hits >= 0); // SAFE
    __goblint_check(hits == served); // UNSAFE!
    hits = served = 0;
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    pthread_create(&t, 0, reader, 0);
    pthread_create(&t, 0, writer, 0);
    return 0;
}
