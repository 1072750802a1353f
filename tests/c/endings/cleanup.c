// Cleanup handlers run where the thread ends, or where they are popped.
#include <pthread.h>
#include <assert.h>
#include <stdbool.h>

bool __VERIFIER_nondet_bool(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int guarded, released;

static void release(void *mutex) {
    guarded = 0;
    released = 1;
    pthread_mutex_unlock(mutex);
}

void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(release, &lock);
    guarded = 1;
    assert(guarded == 1); // SAFE
    if (__VERIFIER_nondet_bool()) pthread_exit(0);
    guarded = 2;
    assert(guarded == 2); // SAFE
    pthread_cleanup_pop(1);
    __goblint_check(guarded == 0); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    __goblint_check(released == 1); // UNSAFE!
    pthread_join(a, 0);
    pthread_mutex_lock(&lock);
    assert(guarded == 0); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}
