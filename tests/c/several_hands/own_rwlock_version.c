// ARGS: --properties assertion,data-race
// A read/write lock; a version counts the writes, and readers see it stay while they read.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static int version, value; // SAFE

static void *reader(void *arg) {
    int last = 0;
    for (int i = 0; i < 4; i++) {
        pthread_rwlock_rdlock(&rw);
        int v1 = version;
        int x = value;
        int v2 = version;
        assert(v1 == v2); // SAFE
        assert(x == 2 * v1); // SAFE
        assert(v1 >= last); // SAFE
        last = v1;
        pthread_rwlock_unlock(&rw);
    }
    return 0;
}

static void *writer(void *arg) {
    for (int i = 0; i < 4; i++) {
        pthread_rwlock_wrlock(&rw);
        version++;
        value += 2;
        pthread_rwlock_unlock(&rw);
    }
    return 0;
}

int main(void) {
    pthread_t t[4];
    pthread_create(&t[0], 0, reader, 0);
    pthread_create(&t[1], 0, reader, 0);
    pthread_create(&t[2], 0, writer, 0);
    pthread_create(&t[3], 0, writer, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    assert(version == 8); // SAFE
    assert(value == 16); // SAFE
    return 0;
}
