// Two keys are two cells for each thread.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_key_t depth, owner;

static void enter(void) {
    intptr_t now = (intptr_t)pthread_getspecific(depth);
    if (now < 2) pthread_setspecific(depth, (void *)(now + 1));
}

static void *client(void *unused) {
    static int token;
    assert(pthread_getspecific(depth) == 0); // SAFE
    if (pthread_setspecific(owner, &token)) return 0;
    enter();
    enter();
    enter();
    intptr_t now = (intptr_t)pthread_getspecific(depth);
    assert(now <= 2); // SAFE
    __goblint_check(now < 2); // UNSAFE!
    assert(pthread_getspecific(owner) == &token); // SAFE
    return unused;
}

int main(void) {
    pthread_t a, b;
    if (pthread_key_create(&depth, 0) || pthread_key_create(&owner, 0)) return 1;
    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, client, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(pthread_getspecific(owner) == 0); // SAFE
    return 0;
}
