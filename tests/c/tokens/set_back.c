// As raised_only.c, but one thread may set the clock back.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int now = 10;

static void *adjust(void *unused) {
    atomic_fetch_sub(&now, 3);
    return 0;
}

static void *user(void *unused) {
    int begin = atomic_load(&now);
    atomic_fetch_add(&now, 1);
    int end = atomic_load(&now);
    __goblint_check(end - begin >= 1); // UNSAFE!
    __goblint_check(end >= 8); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, adjust, 0);
    pthread_create(&b, 0, user, 0);
    return 0;
}
