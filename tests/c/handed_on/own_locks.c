// ARGS: --properties assertion,data-race
// What a thread knows of locks that it holds: tried again they are busy, whoever else tries them fails, too.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, checked, nested;
static int value; // SAFE
static int depth; // SAFE

static void *user(void *unused) {
    if (pthread_mutex_trylock(&plain) == 0) {
        assert(pthread_mutex_trylock(&plain) == EBUSY); // SAFE
        value = 1;
        assert(value == 1); // SAFE
        value = 0;
        assert(pthread_mutex_unlock(&plain) == 0); // SAFE
    }
    int first = pthread_mutex_lock(&checked);
    assert(first == 0); // SAFE
    assert(pthread_mutex_lock(&checked) == EDEADLK); // SAFE
    assert(pthread_mutex_trylock(&checked) == EBUSY); // SAFE
    assert(pthread_mutex_unlock(&checked) == 0); // SAFE
    assert(pthread_mutex_unlock(&checked) == EPERM); // SAFE
    __goblint_check(pthread_mutex_trylock(&checked) == 0 && pthread_mutex_unlock(&checked) == 0); // UNSAFE!
    pthread_mutex_lock(&nested);
    assert(depth == 0); // SAFE
    depth = 1;
    assert(pthread_mutex_trylock(&nested) == 0); // SAFE
    depth = 2;
    pthread_mutex_unlock(&nested);
    assert(depth == 2); // SAFE
    depth = 0;
    pthread_mutex_unlock(&nested);
    __goblint_check(pthread_mutex_trylock(&plain) != 0 || pthread_mutex_unlock(&plain) != 0); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checked, &kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&nested, &kind);
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, user, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(pthread_mutex_trylock(&plain) == 0); // SAFE
    assert(value == 0 && depth == 0); // SAFE
    return 0;
}
