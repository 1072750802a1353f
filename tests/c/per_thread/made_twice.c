// The once variable is set back, so that the key is made anew: a thread may lose what it has kept by the first one.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_once_t made = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int value = 3;

static void make(void) {
    pthread_key_create(&key, 0);
}

static void keep(void *what) {
    pthread_once(&made, make);
    pthread_setspecific(key, what);
}

static void *kept(void) {
    pthread_once(&made, make);
    return pthread_getspecific(key);
}

int main(void) {
    keep(&value);
    assert(kept() == &value || kept() == 0); // SAFE
    if (rand() % 2) {
        assert(kept() == 0); // UNSAFE!
        return 0;
    }
    static const pthread_once_t fresh = PTHREAD_ONCE_INIT;
    made = fresh;
    assert(kept() == &value); // UNSAFE!
    return 0;
}
