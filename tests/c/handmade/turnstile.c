// A gate that opens once for all: a flag under a lock, waiting with a condition, then without the lock.
#include <pthread.h>
#include <assert.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int open, level;

static void *visitor(void *unused) {
    pthread_mutex_lock(&lock);
    while (!open) pthread_cond_wait(&opened, &lock);
    pthread_mutex_unlock(&lock);
    assert(level == 7); // SAFE (needs refinement)
    assert(open == 1); // SAFE
    return 0;
}

static void *hasty(void *unused) {
    assert(level <= 7); // SAFE
    assert(open == 1); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, visitor, 0);
    pthread_create(&b, 0, visitor, 0);
    pthread_create(&c, 0, hasty, 0);
    level = 7;
    pthread_mutex_lock(&lock);
    open = 1;
    pthread_cond_broadcast(&opened);
    pthread_mutex_unlock(&lock);
    return 0;
}
