// A tracing library: whoever comes first makes the key, each thread gets a trace, destructors close what is left open.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct trace {
    int open_spans;
    int closed_spans;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t traces;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int exported;

static void finish_trace(void *p) {
    struct trace *t = p;
    while (t->open_spans > 0) {
        t->open_spans--;
        t->closed_spans++;
    }
    assert(t->open_spans == 0); // UNKNOWN (a loop over what several places have made)
    assert(t->closed_spans >= 1); // SAFE
    pthread_mutex_lock(&m);
    exported++;
    pthread_mutex_unlock(&m);
    free(t);
}

static void make_key(void) {
    if (pthread_key_create(&traces, finish_trace) != 0)
        abort();
}

static struct trace *current(void) {
    pthread_once(&once, make_key);
    struct trace *t = pthread_getspecific(traces);
    if (!t) {
        t = calloc(1, sizeof(*t));
        if (!t || pthread_setspecific(traces, t) != 0)
            abort();
    }
    return t;
}

static void start_span(void) { current()->open_spans++; }

static void end_span(void) {
    struct trace *t = current();
    assert(t->open_spans > 0); // SAFE
    t->open_spans--;
    t->closed_spans++;
}

static void *handler(void *leaves_early) {
    start_span();
    start_span();
    end_span();
    assert(current()->closed_spans == 1); // SAFE
    if (leaves_early)
        pthread_exit(NULL);
    end_span();
    assert(current()->open_spans == 0); // SAFE
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, handler, NULL);
    pthread_create(&b, NULL, handler, &b);
    pthread_join(a, NULL);
    assert(exported >= 1); // SAFE
    __goblint_check(exported == 1); // UNSAFE!
    pthread_join(b, NULL);
    assert(exported == 2); // SAFE
    return 0;
}
