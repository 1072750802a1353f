// A connection's states under a lock: each step is from the state before it.
#include <pthread.h>
#include <assert.h>
enum state { IDLE, CONNECTING, UP, DOWN };
static enum state now = IDLE;
static int changes, fd = -1;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *connector(void *arg) {
    pthread_mutex_lock(&m);
    if (now == IDLE) { now = CONNECTING; changes++; }
    assert(fd == -1); // SAFE
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    assert(now == CONNECTING); // SAFE
    now = UP;
    fd = 7;
    changes++;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    return arg;
}
static void *user(void *arg) {
    pthread_mutex_lock(&m);
    while (now != UP) pthread_cond_wait(&c, &m);
    assert(fd == 7); // SAFE
    assert(changes == 2); // SAFE
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t x, y;
    pthread_create(&x, 0, connector, 0); pthread_create(&y, 0, user, 0);
    pthread_join(y, 0);
    pthread_mutex_lock(&m);
    assert(now == UP); // SAFE
    now = DOWN;
    assert(fd >= 0); // SAFE
    fd = -1;
    pthread_mutex_unlock(&m);
    pthread_join(x, 0);
    assert(now == DOWN && fd == -1); // SAFE
    return 0;
}
