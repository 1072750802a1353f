// A bounded buffer with two conditions: both sides wait in a loop; whoever is woken up tests again.
#include <pthread.h>
#include <assert.h>

#define CAPACITY 4
static int slots[CAPACITY];
static int used, head, tail;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;

static void put(int item) {
    pthread_mutex_lock(&guard);
    while (used == CAPACITY) pthread_cond_wait(&not_full, &guard);
    assert(used < CAPACITY); // SAFE
    assert(tail >= 0 && tail < CAPACITY); // SAFE
    slots[tail] = item;
    tail = (tail + 1) % CAPACITY;
    used++;
    assert(used >= 1); // SAFE
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&guard);
}

static int take(void) {
    pthread_mutex_lock(&guard);
    while (used == 0) pthread_cond_wait(&not_empty, &guard);
    assert(used > 0); // SAFE
    assert(head >= 0 && head < CAPACITY); // SAFE
    int item = slots[head];
    head = (head + 1) % CAPACITY;
    assert(used == 1); // UNSAFE!
    used--;
    assert(used >= 0 && used < CAPACITY); // SAFE
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&guard);
    return item;
}

static void *producer(void *unused) {
    for (int i = 0; i < 10; i++) put(7 + i % 3);
    return 0;
}

static void *consumer(void *unused) {
    for (int i = 0; i < 5; i++) {
        int got = take();
        assert(got <= 9); // SAFE
        assert(got >= 7); // SAFE
    }
    return 0;
}

int main(void) {
    pthread_t p, c[2];
    pthread_create(&p, 0, producer, 0);
    for (int i = 0; i < 2; i++) pthread_create(&c[i], 0, consumer, 0);
    pthread_join(p, 0);
    for (int i = 0; i < 2; i++) pthread_join(c[i], 0);
    assert(used <= CAPACITY); // SAFE
    assert(used == 0); // SAFE
    return 0;
}
