// The value of the thread that returns from main is not destroyed; that of a thread that is not joined may be, later.
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int used = 1;
static int destroyed;

static void destroy(void *p) {
    assert(p == &used || p == &destroyed); // SAFE
    destroyed = 1;
}

static void *late(void *p) {
    pthread_setspecific(key, p);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, destroy);
    pthread_setspecific(key, &destroyed);
    assert(destroyed == 0); // SAFE
    pthread_create(&t, NULL, late, &used);
    pthread_detach(t);
    assert(pthread_getspecific(key) == &destroyed); // SAFE
    __goblint_check(destroyed == 0); // UNSAFE!
    return 0;
}
