// A buffer on the heap with a count of references under a lock; whoever gives back the last one frees it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct buffer { pthread_mutex_t lock; int references; int size; char *bytes; };

static int frees; // how often a buffer was freed: only the last holder gets there

static struct buffer *make(int size) {
    struct buffer *b = malloc(sizeof *b);
    if (!b)
        exit(1);
    pthread_mutex_init(&b->lock, 0);
    b->references = 1;
    b->size = size;
    b->bytes = calloc(1, size);
    return b;
}

static void hold(struct buffer *b) {
    pthread_mutex_lock(&b->lock);
    assert(b->references >= 1); // SAFE
    b->references++;
    pthread_mutex_unlock(&b->lock);
}

static void release(struct buffer *b) {
    pthread_mutex_lock(&b->lock);
    assert(b->references >= 1); // SAFE
    int left = --b->references;
    assert(left >= 0); // SAFE
    pthread_mutex_unlock(&b->lock);
    if (left == 0) {
        assert(frees == 0); // SAFE
        frees++;
        free(b->bytes);
        free(b);
    }
}

static void *user(void *argument) {
    struct buffer *b = argument;
    assert(b->size == 16); // SAFE
    __goblint_check(frees == 0 && b->references > 1); // UNSAFE!
    release(b);
    return 0;
}

int main(void) {
    pthread_t a, c;
    struct buffer *b = make(16);
    assert(b->references == 1); // SAFE
    hold(b);
    pthread_create(&a, 0, user, b);
    hold(b);
    pthread_create(&c, 0, user, b);
    release(b);
    pthread_join(a, 0);
    pthread_join(c, 0);
    assert(frees == 1); // UNKNOWN (that only one thread gives back the last one)
    return 0;
}
