// A bounded queue of jobs with two conditions; a producer that closes it, two consumers that drain it.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define CAPACITY 4
#define JOBS 12

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t not_empty, not_full;
    int jobs[CAPACITY];
    int head, tail, used;
    bool closed;
};

static struct queue queue = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static int pushed, popped; // under the lock of the queue

static void push(struct queue *q, int job) {
    pthread_mutex_lock(&q->lock);
    while (q->used == CAPACITY)
        pthread_cond_wait(&q->not_full, &q->lock);
    assert(q->used < CAPACITY); // SAFE
    q->jobs[q->tail] = job;
    q->tail = (q->tail + 1) % CAPACITY;
    q->used++;
    pushed++;
    assert(pushed - popped == q->used); // SAFE
    pthread_cond_signal(&q->not_empty);
    pthread_mutex_unlock(&q->lock);
}

static bool pop(struct queue *q, int *job) {
    bool found = false;
    pthread_mutex_lock(&q->lock);
    while (q->used == 0 && !q->closed)
        pthread_cond_wait(&q->not_empty, &q->lock);
    if (q->used > 0) {
        assert(q->head >= 0 && q->head < CAPACITY); // SAFE
        *job = q->jobs[q->head];
        q->head = (q->head + 1) % CAPACITY;
        q->used--;
        popped++;
        assert(popped <= pushed); // SAFE
        found = true;
        pthread_cond_signal(&q->not_full);
    } else {
        assert(q->closed); // SAFE
    }
    pthread_mutex_unlock(&q->lock);
    return found;
}

static void *consumer(void *unused) {
    int job = 0, done = 0;
    while (pop(&queue, &job)) {
        assert(job >= 0 && job < JOBS); // SAFE
        done++;
    }
    assert(done >= 0); // SAFE
    __goblint_check(done == JOBS / 2); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, consumer, 0);
    pthread_create(&b, 0, consumer, 0);
    for (int i = 0; i < JOBS; i++)
        push(&queue, i);
    pthread_mutex_lock(&queue.lock);
    __goblint_check(queue.used == 0); // UNSAFE!
    queue.closed = true;
    pthread_cond_broadcast(&queue.not_empty);
    pthread_mutex_unlock(&queue.lock);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(pushed == JOBS); // SAFE
    assert(queue.used == 0); // SAFE
    assert(popped == JOBS); // SAFE
    return 0;
}
