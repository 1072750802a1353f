// ARGS: --properties assertion,deadlock
// One attribute object makes mutexes of two kinds: a wait for either may time out.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t plain, checking;
struct timespec soon;

void *waits(void *unused) {
    int result = pthread_mutex_timedlock(&plain, &soon);
    assert(result == 0 || result == ETIMEDOUT); // SAFE
    assert(result != ETIMEDOUT); // UNSAFE!
    if (result == 0)
        pthread_mutex_unlock(&plain);
    return 0;
}

int main(void) {
    pthread_mutexattr_t kind;
    pthread_t waiting;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checking, &kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_NORMAL);
    pthread_mutex_init(&plain, &kind);
    pthread_mutex_lock(&plain); // SAFE
    pthread_create(&waiting, 0, waits, 0);
    pthread_join(waiting, 0); // SAFE
    pthread_mutex_unlock(&plain);
    return 0;
}
