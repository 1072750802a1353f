// As backoff.c, but who has given up goes on as if the lock were its own.
#include <assert.h>
#include <pthread.h>

static int word, reserved, confirmed;

static void *booking(void *unused) {
    for (int tries = 0; tries < 2; tries++)
        if (!__sync_lock_test_and_set(&word, 1))
            break;
    reserved += 2;
    confirmed += 1;
    __goblint_check(reserved == 2 * confirmed); // UNSAFE!
    __goblint_check(confirmed >= 1); // UNSAFE!
    __sync_lock_release(&word);
    return 0;
}

static void *reset(void *unused) {
    if (!__sync_lock_test_and_set(&word, 1)) {
        confirmed = 0;
        reserved = 0;
        __sync_lock_release(&word);
    }
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, booking, 0);
    pthread_create(&b, 0, booking, 0);
    pthread_create(&c, 0, reset, 0);
    return 0;
}
