// ARGS: --properties assertion,null-dereference,data-race
// Each thread has a context of its own behind a key, made at first use.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct ctx { int depth; int id; };
static pthread_key_t key;

static struct ctx *get_ctx(int id) {
    struct ctx *c = pthread_getspecific(key);
    if (!c) {
        c = malloc(sizeof *c);
        if (!c)
            abort();
        c->depth = 0;
        c->id = id;
        pthread_setspecific(key, c);
    }
    return c;
}

static void enter(int id) {
    struct ctx *c = get_ctx(id);
    c->depth++; // SAFE
    assert(c->depth >= 1); // SAFE
}
static void leave(int id) {
    struct ctx *c = get_ctx(id);
    assert(c->depth > 0); // SAFE
    assert(c->id == id); // SAFE
    c->depth--;
}

static void *run(void *arg) {
    int id = (int)(long)arg;
    for (int i = 0; i < 3; i++) {
        enter(id);
        enter(id);
        leave(id);
        leave(id);
    }
    struct ctx *c = pthread_getspecific(key);
    assert(c != NULL); // SAFE
    assert(c->depth == 0); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_key_create(&key, free);
    pthread_create(&a, 0, run, (void *)1);
    pthread_create(&b, 0, run, (void *)2);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(pthread_getspecific(key) == NULL); // SAFE
    return 0;
}
