// ARGS: --properties assertion,array-bounds,data-race
// A character ring: head and tail wrap, count says how many are in it; only letters are put in.
#include <assert.h>
#include <pthread.h>

#define CAPACITY 16
struct ring {
    char buf[CAPACITY];
    int head, tail, count;
    pthread_mutex_t mu;
    pthread_cond_t nonempty, nonfull;
};
static struct ring r = {.mu = PTHREAD_MUTEX_INITIALIZER, .nonempty = PTHREAD_COND_INITIALIZER,
                        .nonfull = PTHREAD_COND_INITIALIZER};

static void ring_put(struct ring *q, char c) {
    pthread_mutex_lock(&q->mu);
    while (q->count == CAPACITY)
        pthread_cond_wait(&q->nonfull, &q->mu);
    q->buf[q->tail] = c; // SAFE
    q->tail = (q->tail + 1) % CAPACITY;
    q->count++;
    assert((q->head + q->count) % CAPACITY == q->tail); // SAFE
    assert(q->count <= CAPACITY); // SAFE
    pthread_cond_signal(&q->nonempty);
    pthread_mutex_unlock(&q->mu);
}

static char ring_get(struct ring *q) {
    pthread_mutex_lock(&q->mu);
    while (q->count == 0)
        pthread_cond_wait(&q->nonempty, &q->mu);
    char c = q->buf[q->head]; // SAFE
    q->head = (q->head + 1) % CAPACITY;
    q->count--;
    assert(q->count >= 0); // SAFE
    assert(q->head < CAPACITY && q->head >= 0); // SAFE
    pthread_cond_signal(&q->nonfull);
    pthread_mutex_unlock(&q->mu);
    return c;
}

static void *producer(void *arg) {
    for (int i = 0; i < 52; i++)
        ring_put(&r, 'a' + i % 26);
    return 0;
}

static void *consumer(void *arg) {
    for (int i = 0; i < 52; i++) {
        char c = ring_get(&r);
        assert(c >= 'a'); // SAFE
        assert(c <= 'z'); // SAFE
    }
    return 0;
}

int main(void) {
    pthread_t p, c;
    pthread_create(&p, 0, producer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_join(p, 0);
    pthread_join(c, 0);
    assert(r.count == 0); // SAFE
    assert(r.head == r.tail); // SAFE
    return 0;
}
