// A recursive mutex can be taken again by its holder: taking it twice must not look like the end of the thread.
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>

pthread_mutex_t again = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
int depth, guarded;

void *worker(void *unused) {
    pthread_mutex_lock(&again);
    pthread_mutex_lock(&again);
    depth = 2;
    assert(depth == 1); // UNSAFE!
    pthread_mutex_unlock(&again);
    pthread_mutex_unlock(&again);
    return 0;
}

void *other(void *unused) {
    pthread_mutex_lock(&plain);
    guarded = 1;
    assert(guarded == 1); // SAFE
    guarded = 0;
    pthread_mutex_unlock(&plain);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, other, 0);
    pthread_create(&c, 0, other, 0);
    return 0;
}
