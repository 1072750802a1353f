// A window over a stream: its start never passes its end. A thread copies both in one section and works with the copies.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
struct window {
    pthread_mutex_t lock;
    int start, end;
};
static struct window shared_window = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *extend(void *argument) {
    struct window *w = argument;
    int by = __VERIFIER_nondet_int();
    if (by <= 0 || by > 1000)
        by = 1;
    pthread_mutex_lock(&w->lock);
    w->end += by;
    pthread_mutex_unlock(&w->lock);
    return 0;
}

static void *shift(void *argument) {
    struct window *w = argument;
    pthread_mutex_lock(&w->lock);
    if (w->end - w->start > 3)
        w->start = w->end - 3;
    assert(w->end - w->start <= 3); // SAFE
    pthread_mutex_unlock(&w->lock);
    return 0;
}

static void *work(void *argument) {
    struct window *w = argument;
    int from, to, middle;
    pthread_mutex_lock(&w->lock);
    from = w->start;
    to = w->end;
    pthread_mutex_unlock(&w->lock);
    assert(from <= to); // SAFE
    middle = from + (to - from) / 2;
    assert(middle >= from); // SAFE
    assert(middle <= to); // UNKNOWN (an inequality with coefficients)
    return 0;
}

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], 0, extend, &shared_window);
    pthread_create(&t[1], 0, shift, &shared_window);
    pthread_create(&t[2], 0, work, &shared_window);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
