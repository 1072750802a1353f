// Depth-first sum by recursion under a recursive lock.
#include <pthread.h>
#include <assert.h>
static pthread_mutex_t m; static int depth, visits;
static void visit(int n) {
    pthread_mutex_lock(&m);
    depth++;
    visits++;
    assert(depth >= 1); // SAFE
    if (n > 0) visit(n - 1);
    depth--;
    assert(depth >= 0); // SAFE
    pthread_mutex_unlock(&m);
}
static void *w(void *a) { visit(3); return a; }
int main(void) {
    pthread_t x, y;
    pthread_mutexattr_t at;
    pthread_mutexattr_init(&at); pthread_mutexattr_settype(&at, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &at);
    pthread_create(&x, 0, w, 0); pthread_create(&y, 0, w, 0);
    pthread_join(x, 0); pthread_join(y, 0);
    assert(visits == 8); // SAFE
    assert(depth == 0); // SAFE
    return 0;
}
