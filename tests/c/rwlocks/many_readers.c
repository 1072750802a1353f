// Any number of readers, and writers that keep them out: readers write what only they should not write.
#include <pthread.h>
#include <assert.h>
#include <stdbool.h>

bool __VERIFIER_nondet_bool(void);

pthread_rwlock_t gate;
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
    pthread_t t;
    pthread_rwlock_init(&gate, 0);
    while (__VERIFIER_nondet_bool()) {
        pthread_create(&t, 0, writer, 0);
        pthread_create(&t, 0, reader, 0);
    }
    return 0;
}
