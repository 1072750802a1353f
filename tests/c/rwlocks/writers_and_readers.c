// One writer and one reader: the reader never sees what the writer has half done, nor does the writer see others.
#include <pthread.h>
#include <assert.h>

pthread_rwlock_t gate = PTHREAD_RWLOCK_INITIALIZER;
int low, high, outside;

void *writer(void *unused) {
    pthread_rwlock_wrlock(&gate);
    low = 1;
    assert(high == 0); // SAFE
    low = 0;
    assert(low == 0); // SAFE
    pthread_rwlock_unlock(&gate);
    outside = 1;
    return 0;
}

void *reader(void *unused) {
    pthread_rwlock_rdlock(&gate);
    assert(low == 0); // SAFE
    __goblint_check(outside == 0); // UNSAFE!
    pthread_rwlock_unlock(&gate);
    __goblint_check(low == 0); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    return 0;
}
