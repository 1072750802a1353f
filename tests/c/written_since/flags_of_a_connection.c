// Flags of a connection as bits in a word, under its lock.
#include <pthread.h>
#include <assert.h>
#define OPEN 1u
#define DIRTY 2u
#define CLOSING 4u
struct conn { pthread_mutex_t m; unsigned flags; int users; };
static struct conn c = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };
static void acquire(void) {
    pthread_mutex_lock(&c.m);
    if (!(c.flags & CLOSING)) {
        c.flags |= OPEN;
        c.users++;
        assert(c.flags & OPEN); // SAFE
        assert(c.users > 0); // SAFE
    }
    pthread_mutex_unlock(&c.m);
}
static void *user(void *arg) {
    for (int i = 0; i < 5; i++) {
        acquire();
        pthread_mutex_lock(&c.m);
        if (c.flags & OPEN) c.flags |= DIRTY;
        assert((c.flags & ~(OPEN | DIRTY | CLOSING)) == 0); // SAFE
        if (c.flags & DIRTY) assert(c.flags & OPEN); // SAFE
        pthread_mutex_unlock(&c.m);
    }
    return arg;
}
static void *closer(void *arg) {
    pthread_mutex_lock(&c.m);
    c.flags |= CLOSING;
    c.flags &= ~DIRTY;
    assert(c.flags & CLOSING); // SAFE
    assert(!(c.flags & DIRTY)); // SAFE
    pthread_mutex_unlock(&c.m);
    return arg;
}
int main(void) {
    pthread_t a, b, x;
    pthread_create(&a, 0, user, 0); pthread_create(&b, 0, user, 0); pthread_create(&x, 0, closer, 0);
    pthread_join(a, 0); pthread_join(b, 0); pthread_join(x, 0);
    assert(c.flags & CLOSING); // SAFE
    assert(c.flags <= 7); // SAFE
    assert(c.users >= 0); // SAFE
    assert(!(c.flags & DIRTY)); // UNSAFE!
    return 0;
}
