// A task lives in the caller's frame: queued by its address, waited for by a condition in it.
#include <assert.h>
#include <pthread.h>

struct task {
    int input, output, done;
    pthread_cond_t finished;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static struct task *pending;
static int served, closed;

static void *server(void *unused) {
    pthread_mutex_lock(&m);
    for (;;) {
        while (!pending && !closed)
            pthread_cond_wait(&work, &m);
        if (!pending)
            break;
        struct task *t = pending;
        pending = 0;
        assert(!t->done); // SAFE
        assert(t->input > 0); // SAFE
        t->output = t->input + 1;
        t->done = 1;
        served++;
        pthread_cond_signal(&t->finished);
        pthread_cond_broadcast(&work);
    }
    assert(closed); // SAFE
    pthread_mutex_unlock(&m);
    return unused;
}

static int call(int x) {
    struct task t = {.input = x, .done = 0};
    pthread_cond_init(&t.finished, 0);
    assert(t.output == 0); // SAFE
    pthread_mutex_lock(&m);
    while (pending)
        pthread_cond_wait(&work, &m);
    pending = &t;
    pthread_cond_broadcast(&work);
    while (!t.done)
        pthread_cond_wait(&t.finished, &m);
    pthread_mutex_unlock(&m);
    assert(t.done == 1); // SAFE
    assert(t.output == x + 1); // SAFE
    pthread_cond_destroy(&t.finished);
    return t.output;
}

static void *client(void *unused) {
    int a = call(4);
    assert(a == 5); // SAFE
    return unused;
}

int main(void) {
    pthread_t s, c;
    pthread_create(&s, 0, server, 0);
    pthread_create(&c, 0, client, 0);
    int b = call(8);
    assert(b == 9); // SAFE
    pthread_join(c, 0);
    assert(served == 2); // UNKNOWN (what others count for whom they serve)
    pthread_mutex_lock(&m);
    closed = 1;
    pthread_cond_broadcast(&work);
    pthread_mutex_unlock(&m);
    pthread_join(s, 0);
    assert(pending == 0); // UNKNOWN (that nothing is left when all have been served)
    return 0;
}
