// ARGS: --properties assertion,data-race
// A connection: its descriptor is there exactly while it is open.
#include <assert.h>
#include <pthread.h>

enum state { CLOSED, OPENING, OPEN };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static enum state st; // SAFE
static int fd = -1; // SAFE

static void *opener(void *unused) {
    pthread_mutex_lock(&m);
    if (st == CLOSED)
        st = OPENING;
    else {
        pthread_mutex_unlock(&m);
        return 0;
    }
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    assert(st == OPENING); // SAFE
    assert(fd == -1); // SAFE
    fd = 3;
    st = OPEN;
    pthread_mutex_unlock(&m);
    return 0;
}

static void *closer(void *unused) {
    pthread_mutex_lock(&m);
    assert((st == OPEN) == (fd == 3)); // SAFE
    if (st == OPEN) {
        assert(fd != -1); // SAFE
        fd = -1;
        st = CLOSED;
    }
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, opener, 0);
    pthread_create(&b, 0, opener, 0);
    pthread_create(&c, 0, closer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert((st == OPEN) == (fd == 3)); // SAFE
    return 0;
}
