// Thread-local variables in the place of a key: a level of each thread, and a sum of all that is changed under a lock.
#include <assert.h>
#include <pthread.h>

static _Thread_local int level;
static int levels;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void down(void) {
    level++;
    pthread_mutex_lock(&lock);
    levels++;
    pthread_mutex_unlock(&lock);
}

static void *walker(void *unused) {
    assert(level == 0); // SAFE
    down();
    assert(level == 1); // SAFE
    down();
    assert(level == 2); // SAFE
    pthread_mutex_lock(&lock);
    assert(levels >= level); // SAFE
    __goblint_check(levels == level); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, walker, 0);
    pthread_create(&b, 0, walker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(level == 0); // SAFE
    assert(levels == 4); // SAFE
    return 0;
}
