// ARGS: --parameterized --entries user
// A reference count under a lock decides when an object is dead; one user looks at it after the last put.
#include <pthread.h>
#include <assert.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int references = 1, alive = 1;
static int data = 5;

static int get_reference(void) {
    int got = 0;
    pthread_mutex_lock(&lock);
    if (alive && references < 1000) {
        references++;
        got = 1;
    }
    assert(references <= 1000); // SAFE
    pthread_mutex_unlock(&lock);
    return got;
}

static void put_reference(void) {
    pthread_mutex_lock(&lock);
    assert(references >= 1); // SAFE
    references--;
    if (references == 0) {
        alive = 0;
        data = 0;
    }
    pthread_mutex_unlock(&lock);
}

void user(void) {
    assert(data <= 5); // SAFE
    if (!get_reference()) return;
    put_reference();
    assert(alive >= 0); // SAFE
    assert(references == 1); // UNSAFE!
}
