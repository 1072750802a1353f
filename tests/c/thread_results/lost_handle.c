// One variable for two handles: the first is overwritten, and only the second thread is waited for.
#include <assert.h>
#include <pthread.h>

static int a_done, b_done;

static void *a(void *unused) {
    a_done = 1;
    return 0;
}

static void *b(void *unused) {
    b_done = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    if (pthread_create(&t, 0, a, 0))
        return 1;
    if (pthread_create(&t, 0, b, 0))
        return 1;
    pthread_join(t, 0);
    __goblint_check(b_done == 1); // SAFE
    __goblint_check(a_done == 1); // UNSAFE!
    return 0;
}
