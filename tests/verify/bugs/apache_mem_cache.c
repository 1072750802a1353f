// ARGS: --properties use-after-free,null-dereference
// Apache httpd 2.0.48, bug 21287: mod_mem_cache frees a cached object twice.
// An object counts who uses it. Whoever is done decrements the count in one step and looks at it in another one, so that
// two requests that are done at the same time may both see 0, and both free the object.
#include <pthread.h>
#include <stdlib.h>

struct cache_object {
    int refcount;
    int length;
};

static struct cache_object *cached;
static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;

int __VERIFIER_nondet_int(void);

static void cleanup_cache_object(struct cache_object *object) { free(object); } // UNSAFE!

/* A reference to what is cached, or null. */
static struct cache_object *open_entity(void) {
    struct cache_object *found;
    pthread_mutex_lock(&cache_lock);
    found = cached;
    if (found)
        __sync_fetch_and_add(&found->refcount, 1); // UNKNOWN (counts threads)
    pthread_mutex_unlock(&cache_lock);
    return found;
}

static void decrement_refcount(struct cache_object *object) {
    __sync_fetch_and_sub(&object->refcount, 1); // UNKNOWN (counts threads)
    if (object->refcount == 0) // UNSAFE!
        cleanup_cache_object(object);
}

/* The cache gives up its own reference. */
static void remove_entity(void) {
    struct cache_object *old;
    pthread_mutex_lock(&cache_lock);
    old = cached;
    cached = 0;
    pthread_mutex_unlock(&cache_lock);
    if (old)
        decrement_refcount(old);
}

static void *request(void *unused) {
    struct cache_object *object = open_entity();
    if (object)
        decrement_refcount(object);
    return 0;
}

static void *collector(void *unused) {
    remove_entity();
    return 0;
}

int main(void) {
    pthread_t thread;
    cached = calloc(1, sizeof *cached);
    if (!cached)
        return 1;
    cached->refcount = 1;
    pthread_create(&thread, 0, collector, 0);
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, request, 0);
    return 0;
}
