// A value is replaced, and taken away again by storing null. In between another thread cannot see it.
#include <assert.h>
#include <pthread.h>

static pthread_key_t transaction;
static int one, two;
static int is_open;

static void *client(void *unused) {
    if (pthread_setspecific(transaction, &one))
        return 0;
    is_open = 1;
    if (pthread_setspecific(transaction, &two))
        return 0;
    assert(pthread_getspecific(transaction) != &one); // SAFE
    pthread_setspecific(transaction, 0);
    int *now = pthread_getspecific(transaction);
    assert(now == 0 || now == &two); // SAFE
    return 0;
}

static void *observer(void *unused) {
    if (is_open)
        assert(!pthread_getspecific(transaction)); // SAFE
    __goblint_check(!is_open); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    if (pthread_key_create(&transaction, 0))
        return 1;
    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, observer, 0);
    return 0;
}
