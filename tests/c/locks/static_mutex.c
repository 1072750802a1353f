// A scratch cell that is zero again whenever the mutex is free.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
int scratch;

void *worker(void *unused) {
    pthread_mutex_lock(&guard);
    assert(scratch == 0); // SAFE
    scratch = 7;
    assert(scratch == 7); // SAFE
    scratch = 0;
    pthread_mutex_unlock(&guard);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    assert(scratch >= 0); // SAFE
    assert(scratch == 0); // UNSAFE!
    return 0;
}
