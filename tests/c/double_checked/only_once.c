// The second check, under the lock, is what keeps the initialisation from running twice.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int done, times;
int once_done, once_times;

void *twice_checked(void *unused) {
    if (!done) {
        pthread_mutex_lock(&lock);
        if (!done) {
            times = times + 1;
            assert(times == 1); // SAFE
            done = 1;
        }
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

void *once_checked(void *unused) {
    if (!once_done) {
        pthread_mutex_lock(&lock);
        once_times = once_times + 1;
        assert(once_times == 1); // UNSAFE!
        once_done = 1;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t a, b, c, d;
    pthread_create(&a, 0, twice_checked, 0);
    pthread_create(&b, 0, twice_checked, 0);
    pthread_create(&c, 0, once_checked, 0);
    pthread_create(&d, 0, once_checked, 0);
    return 0;
}
