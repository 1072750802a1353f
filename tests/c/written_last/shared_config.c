// A configuration that is counted by those who use it; who drops the last reference marks it as gone.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

struct config { pthread_mutex_t lock; int references; int level; bool gone; };
static struct config config = {PTHREAD_MUTEX_INITIALIZER, 1, 4, false};

static void hold(struct config *c) {
    pthread_mutex_lock(&c->lock);
    assert(c->references >= 1); // SAFE
    assert(!c->gone); // SAFE
    c->references++;
    pthread_mutex_unlock(&c->lock);
}

static void drop(struct config *c) {
    pthread_mutex_lock(&c->lock);
    assert(c->references > 0); // SAFE
    if (--c->references == 0)
        c->gone = true;
    assert(c->gone == (c->references == 0)); // SAFE
    pthread_mutex_unlock(&c->lock);
}

static void *user(void *argument) {
    struct config *c = argument;
    assert(c->level == 4); // SAFE
    __goblint_check(c->references == 3); // UNSAFE!
    drop(c);
    return 0;
}

int main(void) {
    pthread_t a, b;
    // The reference of a thread is taken for it before it starts.
    hold(&config);
    pthread_create(&a, 0, user, &config);
    hold(&config);
    pthread_create(&b, 0, user, &config);
    pthread_mutex_lock(&config.lock);
    assert(config.references >= 1); // SAFE
    assert(config.references <= 3); // SAFE
    assert(!config.gone); // SAFE
    pthread_mutex_unlock(&config.lock);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(config.references == 1); // SAFE
    drop(&config);
    assert(config.gone); // SAFE
    return 0;
}
