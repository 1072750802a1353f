// As low_water.c, but two elements are written for one test: a small queue gets too deep by one.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int depth, capacity;

static void *writer(void *unused) {
    pthread_mutex_lock(&m);
    if (3 * depth < 2 * capacity)
        depth += 2;
    __goblint_check(3 * depth <= 2 * capacity + 2); // UNSAFE!
    __goblint_check(3 * depth <= 2 * capacity + 5); // SAFE
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    int wanted = __VERIFIER_nondet_int();
    if (wanted < 3 || wanted > 9)
        return 1;
    capacity = wanted;
    for (int i = 0; i < 5; i++)
        pthread_create(&t, 0, writer, 0);
    return 0;
}
