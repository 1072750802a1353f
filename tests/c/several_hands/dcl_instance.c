// ARGS: --properties assertion,null-dereference,data-race
// Double-checked locking with an atomic pointer.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct config { int port; int backlog; };
static _Atomic(struct config *) instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int created; // SAFE

static struct config *get(void) {
    struct config *c = atomic_load_explicit(&instance, memory_order_acquire);
    if (!c) {
        pthread_mutex_lock(&lock);
        c = atomic_load(&instance);
        if (!c) {
            c = malloc(sizeof *c);
            if (!c)
                abort();
            c->port = 8080; // SAFE
            c->backlog = 16; // SAFE
            created++;
            assert(created == 1); // SAFE
            atomic_store_explicit(&instance, c, memory_order_release);
        }
        assert(created == 1); // SAFE
        pthread_mutex_unlock(&lock);
    }
    return c;
}

static void *user(void *arg) {
    struct config *c = get();
    assert(c != NULL); // SAFE
    assert(c->port == 8080); // SAFE
    assert(c == get()); // SAFE
    return 0;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, user, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(created == 1); // SAFE
    assert(get()->backlog == 16); // SAFE
    return 0;
}
