// ARGS: --properties assertion,data-race,overflow
// A warehouse: what is in stock, reserved and sold adds up to what came in.
#include <assert.h>
#include <pthread.h>

#define DELIVERED 100

static struct warehouse {
    pthread_mutex_t lock;
    int stock, reserved, sold; // stock + reserved + sold == DELIVERED whenever the lock is free
} w = {PTHREAD_MUTEX_INITIALIZER, DELIVERED, 0, 0};

static int reserve(int n) {
    int ok = 0;
    pthread_mutex_lock(&w.lock);
    if (w.stock >= n) {
        w.stock -= n;
        w.reserved += n;
        ok = 1;
    }
    assert(w.stock + w.reserved + w.sold == DELIVERED); // SAFE
    assert(w.reserved <= DELIVERED); // SAFE
    pthread_mutex_unlock(&w.lock);
    return ok;
}

static void ship(int n) {
    pthread_mutex_lock(&w.lock);
    assert(w.reserved >= n); // UNSAFE!
    if (w.reserved >= n) {
        w.reserved -= n;
        w.sold += n;
    }
    assert(w.sold <= DELIVERED - w.stock); // SAFE
    pthread_mutex_unlock(&w.lock);
}

static void *customer(void *arg) {
    int want = 1 + (int)(long)arg;
    if (reserve(want))
        ship(want);
    return NULL;
}

static void *returns(void *arg) {
    (void)arg;
    pthread_mutex_lock(&w.lock);
    if (w.reserved > 0) { // somebody else's: it goes back to the shelf
        w.reserved--;
        w.stock++;
    }
    assert(w.stock <= DELIVERED); // SAFE
    pthread_mutex_unlock(&w.lock);
    return NULL;
}

int main(void) {
    pthread_t c[3], r;
    for (long i = 0; i < 3; i++)
        pthread_create(&c[i], NULL, customer, (void *)i);
    pthread_create(&r, NULL, returns, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(c[i], NULL);
    pthread_join(r, NULL);
    assert(w.stock + w.reserved + w.sold == DELIVERED); // SAFE
    assert(w.sold <= DELIVERED); // SAFE
    return 0;
}
