// A thread that starts copies of itself is unbounded.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int inside, outside;

void *spreader(void *unused) {
    pthread_t next;
    pthread_mutex_lock(&lock);
    inside = 1;
    assert(inside == 1); // SAFE
    inside = 0;
    pthread_mutex_unlock(&lock);
    pthread_create(&next, 0, spreader, 0);
    outside = 1;
    assert(outside == 1); // UNSAFE!
    outside = 0;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, spreader, 0);
    pthread_join(t, 0);
    assert(outside <= 1); // SAFE
    return 0;
}
