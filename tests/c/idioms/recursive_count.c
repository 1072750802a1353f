// ARGS: --properties assertion,data-race
// A recursive mutex, taken again by a function that calls itself.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m;
static int depth, visits; // SAFE

static void walk(int n) {
    pthread_mutex_lock(&m);
    depth++;
    visits++;
    assert(depth >= 1); // SAFE
    if (n > 0)
        walk(n - 1);
    depth--;
    assert(depth >= 0); // SAFE
    pthread_mutex_unlock(&m);
}

static void *worker(void *unused) {
    walk(3);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &attr);
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(depth == 0); // SAFE
    assert(depth > 0); // UNSAFE!
    return 0;
}
