// As counts_if_done.c, but the flag is set in a section before the one that adds.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int sum, is_done;

void *first(void *unused) {
    pthread_mutex_lock(&lock);
    is_done = 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    sum += 3;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, first, 0);
    pthread_mutex_lock(&lock);
    if (is_done)
        assert(sum == 3); // UNSAFE!
    assert(sum <= 3); // SAFE (needs octagon)
    pthread_mutex_unlock(&lock);
    return 0;
}
