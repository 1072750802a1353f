// ARGS: --properties assertion,deadlock
// A robust mutex of an attribute object that was of another kind before: that its holder ended is noticed.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t lock, checking;

void *ends(void *unused) {
    pthread_mutex_lock(&lock);
    return 0;
}

int main(void) {
    pthread_mutexattr_t kind;
    pthread_t first;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checking, &kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_NORMAL);
    pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &kind);
    pthread_create(&first, 0, ends, 0);
    pthread_join(first, 0);
    int result = pthread_mutex_lock(&lock); // UNKNOWN (deadlocks know nothing of robust mutexes)
    assert(result != EBUSY); // SAFE
    assert(result != EOWNERDEAD); // UNSAFE!
    return 0;
}
