// A counter under a mutex: who adds one sees one more.
// With BUG: nobody takes the mutex.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned value;

void adder(void) {
#ifndef BUG
    pthread_mutex_lock(&lock);
#endif
    unsigned before = value;
    if (before < 4000000000u) {
        value = before + 1;
        assert(value > before);
    }
#ifndef BUG
    pthread_mutex_unlock(&lock);
#endif
}
