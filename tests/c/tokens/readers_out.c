// A writer that has a read/write lock finds no reader inside; readers see nothing half written.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int reading, version, copy_of_version;

static void *reader(void *unused) {
    pthread_rwlock_rdlock(&lock);
    __sync_add_and_fetch(&reading, 1);
    assert(version == copy_of_version); // SAFE
    assert(reading >= 1); // SAFE
    __sync_sub_and_fetch(&reading, 1);
    pthread_rwlock_unlock(&lock);
    return 0;
}

static void *writer(void *unused) {
    pthread_rwlock_wrlock(&lock);
    version++;
    assert(reading == 0); // SAFE
    copy_of_version++;
    assert(version == copy_of_version); // SAFE
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) {
        pthread_create(&t, 0, reader, 0);
        pthread_create(&t, 0, writer, 0);
    }
    return 0;
}
