// A reader/writer lock: writers exclude everybody, readers do not exclude readers.
#include <pthread.h>
#include <assert.h>

pthread_rwlock_t gate = PTHREAD_RWLOCK_INITIALIZER;
int draft, seen;

void *writer(void *unused) {
    pthread_rwlock_wrlock(&gate);
    draft = 1;
    assert(draft == 1); // SAFE
    draft = 0;
    pthread_rwlock_unlock(&gate);
    return 0;
}

void *reader(void *unused) {
    pthread_rwlock_rdlock(&gate);
    assert(draft == 0); // SAFE
    seen = 1;
    assert(seen == 1); // UNSAFE!
    seen = 0;
    pthread_rwlock_unlock(&gate);
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
