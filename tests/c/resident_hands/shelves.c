// ARGS: --properties assertion
// Goods on shelves: delivered, taken, and moved from one shelf to another one. A lock is over all of it, and `stock` is
// what lies on all shelves.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define SHELVES 4
#define MOST 20

struct store {
    pthread_mutex_t lock;
    int on[SHELVES];
    int stock;
    int sold;
    int delivered;
};

static struct store store = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void deliver(struct store *s, int shelf, int n) {
    pthread_mutex_lock(&s->lock);
    if (s->on[shelf] + n <= MOST) {
        s->on[shelf] += n;
        s->stock += n;
        s->delivered += n;
    }
    assert(s->on[shelf] <= MOST); // UNKNOWN (room of an element that is told apart)
    assert(s->stock == s->delivered - s->sold); // SAFE
    pthread_mutex_unlock(&s->lock);
}

static int sell(struct store *s, int shelf, int n) {
    int got = 0;
    pthread_mutex_lock(&s->lock);
    if (s->on[shelf] >= n) {
        s->on[shelf] -= n;
        s->stock -= n;
        s->sold += n;
        got = n;
    }
    assert(s->on[shelf] >= 0); // SAFE
    assert(s->stock >= 0); // SAFE
    pthread_mutex_unlock(&s->lock);
    assert(got == 0 || got == n); // SAFE
    return got;
}

static void rearrange(struct store *s, int from, int to) {
    pthread_mutex_lock(&s->lock);
    int n = s->on[from];
    if (n > 0 && s->on[to] + n <= MOST) {
        s->on[from] -= n;
        assert(s->on[from] == 0); // SAFE
        s->on[to] += n;
        assert(s->on[to] <= MOST); // SAFE
        assert(s->on[to] >= 1); // SAFE
    }
    assert(s->stock == s->on[0] + s->on[1] + s->on[2] + s->on[3]); // SAFE
    pthread_mutex_unlock(&s->lock);
}

static void *supplier(void *arg) {
    for (int i = 0; i < 2 * SHELVES; i++)
        deliver(&store, i % SHELVES, 5);
    return arg;
}

static void *customer(void *arg) {
    int bought = 0;
    for (int i = 0; i < 6; i++)
        bought += sell(&store, rand() % SHELVES, 1 + rand() % 3);
    assert(bought >= 0); // SAFE
    assert(bought <= 18); // SAFE
    assert(bought <= 12); // UNSAFE!
    return arg;
}

static void *helper(void *arg) {
    rearrange(&store, 0, 3);
    rearrange(&store, 1, 2);
    return arg;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, supplier, NULL);
    pthread_create(&b, NULL, customer, NULL);
    pthread_create(&c, NULL, helper, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(store.sold <= store.delivered); // SAFE
    assert(store.delivered <= 40); // SAFE
    assert(store.stock == store.on[0] + store.on[1] + store.on[2] + store.on[3]); // SAFE
    assert(store.stock + store.sold == store.delivered); // SAFE
    return 0;
}
