// One place makes two keys: what is kept by one of them is not found by the other.
#include <assert.h>
#include <pthread.h>

static pthread_key_t keys[2];
static int a, b;

static void *user(void *unused) {
    pthread_setspecific(keys[0], &a);
    assert(pthread_getspecific(keys[1]) == 0 || pthread_getspecific(keys[1]) == &b); // SAFE
    pthread_setspecific(keys[1], &b);
    void *found = pthread_getspecific(keys[0]);
    assert(found == &b); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++)
        pthread_key_create(&keys[i], 0);
    pthread_create(&t, 0, user, 0);
    pthread_join(t, 0);
    return 0;
}
