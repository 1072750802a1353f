// ARGS: --parameterized
// main creates one worker; as every created thread is unbounded, workers meet each other.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int guarded, bare;

void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    guarded = 1;
    assert(guarded == 1); // SAFE
    guarded = 0;
    pthread_mutex_unlock(&lock);
    bare = 1;
    assert(bare == 1); // UNSAFE!
    bare = 0;
    return 0;
}

int main(void) {
    pthread_t t;
    bare = 1;
    assert(bare == 1); // SAFE
    pthread_create(&t, 0, worker, 0);
    assert(bare <= 1); // SAFE
    return 0;
}
