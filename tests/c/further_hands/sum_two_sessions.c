// Two desks one after the other: what is counted of the second one is set when threads of the first one have run.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct desk {
    pthread_mutex_t lock;
    int served, turned_away, limit;
};

static int everywhere; /* set again while clerks of the first desk may still run */

static void *clerk(void *arg) {
    struct desk *d = arg;
    for (int i = 0; i < 5; i++) {
        pthread_mutex_lock(&d->lock);
        if (d->served < d->limit)
            d->served++;
        else
            d->turned_away++;
        assert(d->served <= d->limit); // SAFE
        assert(d->turned_away <= 10); // SAFE
        pthread_mutex_unlock(&d->lock);
        __atomic_fetch_add(&everywhere, 1, __ATOMIC_SEQ_CST);
    }
    return NULL;
}

static int open_desk(int limit) {
    struct desk *d = malloc(sizeof *d);
    pthread_t a, b;
    if (d == NULL)
        return -1;
    pthread_mutex_init(&d->lock, NULL);
    d->served = 0;
    d->turned_away = 0;
    d->limit = limit;
    pthread_create(&a, NULL, clerk, d);
    everywhere = 0;
    pthread_create(&b, NULL, clerk, d);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(d->served + d->turned_away == 10); // SAFE
    assert(d->limit == limit); // SAFE
    int n = d->served;
    free(d);
    return n;
}

int main(void) {
    int n = open_desk(7);
    assert(n <= 7); // SAFE
    n = open_desk(3);
    assert(n <= 3); // SAFE
    assert(everywhere <= 10); // UNKNOWN (a counter that is set while others add to it)
    assert(everywhere == 10); // UNSAFE!
    return 0;
}
