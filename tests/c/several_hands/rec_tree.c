// ARGS: --properties assertion,data-race,deadlock
// A recursive function under a recursive mutex counts how deep it is.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m;
static int depth, calls; // SAFE

static void walk(int n) {
    pthread_mutex_lock(&m);
    depth++;
    calls++;
    assert(depth > 0); // SAFE
    if (n > 0) {
        walk(n - 1);
        walk(n - 1);
    }
    depth--;
    assert(depth >= 0); // SAFE
    pthread_mutex_unlock(&m);
}

static void *run(void *arg) {
    walk(3);
    pthread_mutex_lock(&m);
    assert(depth == 0); // SAFE
    assert(calls >= 1); // SAFE
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_mutexattr_t at;
    pthread_mutexattr_init(&at);
    pthread_mutexattr_settype(&at, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &at);
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(depth == 0); // SAFE
    assert(calls == 30); // SAFE
    return 0;
}
