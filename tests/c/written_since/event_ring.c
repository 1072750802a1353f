// A ring of events with two conditions; it is closed, and what is left is taken.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define SLOTS 4

struct ring {
    pthread_mutex_t lock;
    pthread_cond_t not_empty, not_full;
    int events[SLOTS];
    unsigned head, tail;
    int count;
    bool is_closed;
};
static struct ring ring = {.lock = PTHREAD_MUTEX_INITIALIZER, .not_empty = PTHREAD_COND_INITIALIZER, .not_full = PTHREAD_COND_INITIALIZER};

static bool put(struct ring *r, int event) {
    pthread_mutex_lock(&r->lock);
    while (r->count == SLOTS && !r->is_closed)
        pthread_cond_wait(&r->not_full, &r->lock);
    if (r->is_closed) {
        pthread_mutex_unlock(&r->lock);
        return false;
    }
    assert(r->count < SLOTS); // SAFE
    assert(r->head < SLOTS); // SAFE
    r->events[r->head] = event;
    r->head = (r->head + 1) % SLOTS;
    r->count++;
    pthread_cond_signal(&r->not_empty);
    pthread_mutex_unlock(&r->lock);
    return true;
}

static bool get(struct ring *r, int *event) {
    pthread_mutex_lock(&r->lock);
    while (r->count == 0 && !r->is_closed)
        pthread_cond_wait(&r->not_empty, &r->lock);
    if (r->count == 0) {
        assert(r->is_closed); // SAFE
        pthread_mutex_unlock(&r->lock);
        return false;
    }
    assert(r->tail < SLOTS); // SAFE
    *event = r->events[r->tail];
    r->tail = (r->tail + 1) % SLOTS;
    r->count--;
    assert(r->count >= 0); // SAFE
    pthread_cond_signal(&r->not_full);
    pthread_mutex_unlock(&r->lock);
    return true;
}

static void close_ring(struct ring *r) {
    pthread_mutex_lock(&r->lock);
    r->is_closed = true;
    pthread_cond_broadcast(&r->not_empty);
    pthread_cond_broadcast(&r->not_full);
    pthread_mutex_unlock(&r->lock);
}

static void *source(void *arg) {
    int first = *(int *)arg;
    for (int i = 0; i < 3; i++)
        if (!put(&ring, first + i))
            break;
    return NULL;
}

static void *sink(void *arg) {
    int event, seen = 0, *result = arg;
    while (get(&ring, &event)) {
        assert(event >= 10 && event <= 22); // SAFE
        if (seen < 1000)
            seen++;
    }
    assert(seen <= 1000); // SAFE
    *result = seen;
    return NULL;
}

int main(void) {
    pthread_t sources[2], drain;
    int firsts[2] = {10, 20}, seen = -1;
    pthread_create(&drain, NULL, sink, &seen);
    for (int i = 0; i < 2; i++)
        pthread_create(&sources[i], NULL, source, &firsts[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(sources[i], NULL);
    close_ring(&ring);
    pthread_join(drain, NULL);
    assert(seen >= 0); // SAFE
    assert(ring.count == 0); // SAFE
    return 0;
}
