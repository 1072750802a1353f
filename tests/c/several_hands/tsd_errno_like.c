// ARGS: --properties assertion,data-race
// An error number of one's own: with _Thread_local, and by key as a small integer.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static _Thread_local int last_error;
static pthread_key_t level;

static int try_it(int n) {
    last_error = 0;
    if (n % 2) {
        last_error = n;
        return -1;
    }
    return n;
}

static void raise_level(void) {
    intptr_t l = (intptr_t)pthread_getspecific(level);
    assert(l >= 0); // SAFE
    if (l < 5)
        pthread_setspecific(level, (void *)(l + 1));
}

static void *work(void *arg) {
    int n = (int)(intptr_t)arg;
    if (try_it(n) < 0)
        assert(last_error == n); // SAFE
    else
        assert(last_error == 0); // SAFE
    for (int i = 0; i < 8; i++)
        raise_level();
    assert((intptr_t)pthread_getspecific(level) <= 5); // SAFE
    __goblint_check((intptr_t)pthread_getspecific(level) == n); // UNSAFE!
    return arg;
}

int main(void) {
    pthread_t t[3];
    pthread_key_create(&level, 0);
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, (void *)(i + 4));
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(last_error == 0); // SAFE
    assert(pthread_getspecific(level) == 0); // SAFE
    return 0;
}
