// A lock that its holder takes again, by recursion.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m;
static int depth, x, y;
static void enter(int n) {
    pthread_mutex_lock(&m);
    depth++;
    assert(depth >= 1); // SAFE
    if (n > 0) enter(n - 1);
    else { x++; y++; }
    assert(x == y); // SAFE
    depth--;
    pthread_mutex_unlock(&m);
}
static void add(void) {
    pthread_mutex_lock(&m);
    x++; y++;
    pthread_mutex_unlock(&m);
}
static void add_twice(void) {
    pthread_mutex_lock(&m);
    add();
    assert(x == y); // SAFE
    add();
    assert(x == y); // SAFE
    pthread_mutex_unlock(&m);
}
static void *run(void *a) { enter(3); return 0; }
static void *run2(void *a) { add_twice(); return 0; }
int main(void) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &attr);
    pthread_t a, b, c;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run2, 0);
    pthread_create(&c, 0, run2, 0);
    pthread_join(a, 0); pthread_join(b, 0); pthread_join(c, 0);
    assert(x == y); // SAFE
    assert(depth == 0); // SAFE
    return 0;
}
