// The destructor of a key is given what an ending thread kept, and null is kept then.
#include <assert.h>
#include <pthread.h>

struct state { int open; };
static pthread_key_t key;
static int closed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void close_it(void *kept) {
    struct state *s = kept;
    s->open = 0;
    pthread_mutex_lock(&lock);
    closed = 1;
    pthread_mutex_unlock(&lock);
}

static struct state states[2];

static void *client(void *given) {
    struct state *s = given;
    s->open = 1;
    if (pthread_setspecific(key, s)) {
        s->open = 0;
        return 0;
    }
    struct state *found = pthread_getspecific(key);
    assert(found == s); // SAFE
    pthread_mutex_lock(&lock);
    __goblint_check(closed == 0); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    if (pthread_key_create(&key, close_it)) return 1;
    pthread_create(&a, 0, client, &states[0]);
    pthread_create(&b, 0, client, &states[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(states[0].open == 0); // SAFE
    return 0;
}
