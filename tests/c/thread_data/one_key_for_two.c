// One variable has the numbers of two keys, one after the other: what was kept by the first one is not found.
#include <assert.h>
#include <pthread.h>

static pthread_key_t key, before;
static int one, two;

int main(void) {
    if (pthread_key_create(&key, 0)) return 1;
    if (pthread_setspecific(key, &one)) return 1;
    before = key;
    if (pthread_key_create(&key, 0)) return 1;
    assert(pthread_getspecific(key) == 0); // UNKNOWN (a number that may be that of two keys)
    __goblint_check(pthread_getspecific(key) == &one); // UNSAFE!
    assert(pthread_getspecific(before) == &one); // UNKNOWN (the same)
    if (pthread_setspecific(key, &two)) return 1;
    assert(pthread_getspecific(before) != &two); // UNKNOWN (the same)
    return 0;
}
