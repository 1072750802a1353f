// ARGS: --properties use-after-free,null-dereference
// Apache httpd, bug 21287 as it was fixed: the count is decremented and looked at in one step.
// With two requests: that the count is right for any number of them takes a proof that counts threads.
#include <pthread.h>
#include <stdlib.h>

struct cache_object {
    int refcount;
    int length;
};

static struct cache_object *cached;
static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;

static void cleanup_cache_object(struct cache_object *object) { free(object); } // SAFE

/* A reference to what is cached, or null. */
static struct cache_object *open_entity(void) {
    struct cache_object *found;
    pthread_mutex_lock(&cache_lock);
    found = cached;
    if (found)
        __sync_fetch_and_add(&found->refcount, 1); // SAFE
    pthread_mutex_unlock(&cache_lock);
    return found;
}

static void decrement_refcount(struct cache_object *object) {
    if (__sync_sub_and_fetch(&object->refcount, 1) == 0) // SAFE
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
    pthread_t first, second, third;
    cached = calloc(1, sizeof *cached);
    if (!cached)
        return 1;
    cached->refcount = 1;
    pthread_create(&first, 0, collector, 0);
    pthread_create(&second, 0, request, 0);
    pthread_create(&third, 0, request, 0);
    return 0;
}
