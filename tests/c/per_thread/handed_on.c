// What main keeps under a key is main's: threads that it starts begin with null, also if it was set before.
#include <assert.h>
#include <pthread.h>

static pthread_key_t user;
static int root, guest;

static void *session(void *as) {
    void *before = pthread_getspecific(user);
    __goblint_check(before == 0); // SAFE
    __goblint_check(before == &root); // UNSAFE!
    pthread_setspecific(user, as);
    return pthread_getspecific(user);
}

int main(void) {
    pthread_t t;
    void *result = &root;
    if (pthread_key_create(&user, 0) || pthread_setspecific(user, &root))
        return 1;
    if (pthread_create(&t, 0, session, &guest))
        return 1;
    pthread_join(t, &result);
    assert(pthread_getspecific(user) == &root); // SAFE
    assert(result != &root); // SAFE
    return 0;
}
