// A wait that may be given up: the mutex is held again either way, but the condition need not hold.
#include <pthread.h>
#include <assert.h>
#include <errno.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
struct timespec soon;
int slot;

void *producer(void *unused) {
    pthread_mutex_lock(&lock);
    slot = 9;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    return 0;
}

void *consumer(void *unused) {
    int result = 0;
    pthread_mutex_lock(&lock);
    while (slot == 0 && result == 0) result = pthread_cond_timedwait(&filled, &lock, &soon);
    __goblint_check(slot == 9); // UNSAFE!
    if (result == 0) assert(slot != 0); // SAFE
    slot = 3;
    assert(slot == 3); // SAFE
    pthread_mutex_unlock(&lock);
    assert(result == 0 || result == ETIMEDOUT || result == EINVAL); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    return 0;
}
