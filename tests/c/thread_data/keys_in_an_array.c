// Keys that one call creates in a loop: which one is meant where is not known.
#include <assert.h>
#include <pthread.h>

enum { KEYS = 3 };
static pthread_key_t keys[KEYS];
static int values[KEYS];

static void *user(void *unused) {
    for (int i = 0; i < KEYS; i++)
        if (pthread_setspecific(keys[i], &values[i])) return 0;
    int *found = pthread_getspecific(keys[1]);
    assert(found != 0); // SAFE
    assert(found != &values[2]); // SAFE
    __goblint_check(found == &values[0]); // UNSAFE!
    return unused;
}

int main(void) {
    pthread_t a, b;
    for (int i = 0; i < KEYS; i++)
        if (pthread_key_create(&keys[i], 0)) return 1;
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, user, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
