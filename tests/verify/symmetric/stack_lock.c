// A stack of at most eight entries under a mutex.
// With BUG: whether it is empty is asked in front of the mutex.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int entries[8], top;

void push(void) {
    pthread_mutex_lock(&lock);
    if (top < 8) {
        entries[top] = 1;
        top = top + 1;
    }
    pthread_mutex_unlock(&lock);
}

void pop(void) {
#ifdef BUG
    if (top == 0) return;
    pthread_mutex_lock(&lock);
#else
    pthread_mutex_lock(&lock);
    if (top == 0) {
        pthread_mutex_unlock(&lock);
        return;
    }
#endif
    top = top - 1;
    assert(top >= 0 && top < 8);
    entries[top] = 0;
    pthread_mutex_unlock(&lock);
}
