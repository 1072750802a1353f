// Only who got the lock is in: results tell, also of a thread that holds it already.
#include <pthread.h>
#include <assert.h>
#include <errno.h>
#include <time.h>

pthread_rwlock_t gate = PTHREAD_RWLOCK_INITIALIZER;
struct timespec soon;
int draft;

void *writer(void *unused) {
    if (pthread_rwlock_trywrlock(&gate) == 0) {
        draft = 1;
        assert(draft == 1); // SAFE
        int again = pthread_rwlock_tryrdlock(&gate);
        assert(again == EBUSY); // SAFE
        again = pthread_rwlock_rdlock(&gate);
        assert(again == 0); // UNSAFE!
        draft = 0;
        pthread_rwlock_unlock(&gate);
    }
    return 0;
}

void *reader(void *unused) {
    int got = pthread_rwlock_timedrdlock(&gate, &soon);
    if (got == 0) {
        assert(draft == 0); // SAFE
        pthread_rwlock_unlock(&gate);
    } else {
        assert(draft == 0); // UNSAFE!
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    return 0;
}
