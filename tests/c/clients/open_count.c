// ARGS: --parameterized --entries open_close
// A count of open clients under a lock; that it never falls below zero takes counting.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int open_count, powered;

void open_close(void) {
    pthread_mutex_lock(&lock);
    if (open_count < 3) {
        open_count = open_count + 1;
        powered = 1;
        assert(open_count <= 3); // SAFE
        assert(powered == 1); // SAFE
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        assert(open_count >= 1); // SAFE
        assert(open_count == 1); // UNSAFE!
        open_count = open_count - 1;
        if (open_count == 0) powered = 0;
        assert(powered >= 0); // SAFE
    }
    pthread_mutex_unlock(&lock);
}
