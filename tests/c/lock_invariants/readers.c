// A writer changes both fields of a record; readers see them equal, in any number.
#include <pthread.h>
#include <assert.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
struct { int version, checksum; } record;

void *writer(void *unused) {
    pthread_rwlock_wrlock(&lock);
    assert(record.version == record.checksum); // SAFE (needs octagon)
    record.version++;
    record.checksum = record.version;
    pthread_rwlock_unlock(&lock);
    return 0;
}

void *reader(void *unused) {
    pthread_rwlock_rdlock(&lock);
    assert(record.version == record.checksum); // SAFE
    pthread_rwlock_unlock(&lock);
    assert(record.version == record.checksum); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b, c, d;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, writer, 0);
    pthread_create(&c, 0, reader, 0);
    pthread_create(&d, 0, reader, 0);
    return 0;
}
