// Each thread keeps an object of its own under a key: how deep its calls are. Others have objects of their own.
#include <assert.h>
#include <pthread.h>

struct context { int depth; };
static pthread_key_t key;
static struct context contexts[2];

static void enter(void) {
    struct context *own = pthread_getspecific(key);
    own->depth++;
}

static void leave(void) {
    struct context *own = pthread_getspecific(key);
    own->depth--;
}

static void *run(void *given) {
    struct context *own = given;
    assert(pthread_getspecific(key) == 0); // SAFE
    if (pthread_setspecific(key, own) != 0)
        return 0;
    own->depth = 0;
    enter();
    enter();
    leave();
    assert(pthread_getspecific(key) == given); // SAFE
    assert(own->depth == 1); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    if (pthread_key_create(&key, 0) != 0)
        return 1;
    pthread_create(&a, 0, run, &contexts[0]);
    pthread_create(&b, 0, run, &contexts[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
