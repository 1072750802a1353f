// A counter under a mutex that goes up and down.
// With BUG: the mutex is not taken.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned value;
int added, taken;

#ifdef BUG
#define ENTER
#define LEAVE
#else
#define ENTER pthread_mutex_lock(&lock);
#define LEAVE pthread_mutex_unlock(&lock);
#endif

void adder(void) {
    unsigned before;
    ENTER
    before = value;
    if (before == 4000000000u) { LEAVE return; }
    added = 1;
    value = before + 1;
    LEAVE
    unsigned now = value;
    assert(taken || now > before);
}

void taker(void) {
    unsigned before;
    ENTER
    before = value;
    if (before == 0) { LEAVE return; }
    taken = 1;
    value = before - 1;
    LEAVE
    unsigned now = value;
    assert(added || now < before);
}
