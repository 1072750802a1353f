// A lock that may be given up: only the branch of success is alone.
#include <pthread.h>
#include <assert.h>
#include <errno.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct timespec soon;
int inside;

void *patient(void *unused) {
    pthread_mutex_lock(&lock);
    inside = 1;
    assert(inside == 1); // SAFE
    inside = 0;
    pthread_mutex_unlock(&lock);
    return 0;
}

void *hasty(void *unused) {
    int result = pthread_mutex_timedlock(&lock, &soon);
    if (result == ETIMEDOUT) {
        assert(inside == 0); // UNSAFE!
        return 0;
    }
    if (result == 0) {
        inside = 2;
        assert(inside == 2); // SAFE
        inside = 0;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, patient, 0);
    pthread_create(&b, 0, hasty, 0);
    return 0;
}
