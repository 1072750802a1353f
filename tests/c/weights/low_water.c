// Writers are held back from the time on that a queue is two thirds full, where its capacity is fixed before they start.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int depth, capacity;

static void *writer(void *unused) {
    for (int round = 0; round < 10; round++) {
        pthread_mutex_lock(&m);
        int is_full = 3 * depth >= 2 * capacity;
        if (!is_full)
            depth = depth + 1;
        assert(3 * depth <= 2 * capacity + 2); // SAFE
        pthread_mutex_unlock(&m);
    }
    return 0;
}

static void *drain(void *unused) {
    pthread_mutex_lock(&m);
    int moved = depth;
    depth = 0;
    assert(3 * moved <= 2 * capacity + 2); // SAFE
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    capacity = __VERIFIER_nondet_int();
    if (capacity < 3 || capacity > 3000)
        exit(1);
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, writer, 0);
    pthread_create(&c, 0, drain, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(3 * depth <= 2 * capacity + 2); // SAFE
    return 0;
}
