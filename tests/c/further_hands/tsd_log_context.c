// Each thread keeps a small log context behind a key, made on first use and freed by a destructor.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct context {
    int id, lines, depth;
};

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int next_id, total_lines;

static void drop(void *p) {
    struct context *c = p;
    assert(c != NULL); // SAFE
    assert(c->depth == 0); // SAFE
    pthread_mutex_lock(&m);
    total_lines += c->lines;
    pthread_mutex_unlock(&m);
    free(c);
}

static void make_key(void) {
    if (pthread_key_create(&key, drop) != 0)
        abort();
}

static struct context *context(void) {
    pthread_once(&once, make_key);
    struct context *c = pthread_getspecific(key);
    if (c == NULL) {
        c = malloc(sizeof *c);
        if (c == NULL)
            abort();
        pthread_mutex_lock(&m);
        c->id = ++next_id;
        pthread_mutex_unlock(&m);
        c->lines = 0;
        c->depth = 0;
        pthread_setspecific(key, c);
    }
    assert(c->id >= 1); // SAFE
    return c;
}

static void enter(void) { context()->depth++; }

static void leave(void) {
    struct context *c = context();
    assert(c->depth > 0); // SAFE
    c->depth--;
}

static void say(void) { context()->lines++; }

static void *worker(void *unused) {
    enter();
    say();
    enter();
    say();
    say();
    assert(context()->depth == 2); // SAFE
    leave();
    leave();
    assert(context()->lines == 3); // SAFE
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(next_id == 2); // SAFE
    assert(total_lines == 6); // UNKNOWN (what destructors add up)
    return 0;
}
