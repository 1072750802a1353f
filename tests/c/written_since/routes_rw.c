// A table of routes, each with a read/write lock: looked up by many, changed by one.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define ROUTES 20
#define INFINITE 16

struct route {
    pthread_rwlock_t lock;
    int metric, version;
};
static struct route *routes;

static int look_up(int destination) {
    struct route *r = &routes[destination];
    pthread_rwlock_rdlock(&r->lock);
    int metric = r->metric;
    int before = r->version;
    assert(metric >= 0 && metric <= INFINITE); // SAFE
    assert(before == r->version); // SAFE
    pthread_rwlock_unlock(&r->lock);
    return metric;
}

static int change(int destination, int metric) {
    if (destination < 0 || destination >= ROUTES || metric < 0)
        return -1;
    struct route *r = routes + destination;
    pthread_rwlock_wrlock(&r->lock);
    if (metric > INFINITE)
        metric = INFINITE;
    if (metric != r->metric) {
        r->metric = metric;
        if (r->version < 1000)
            r->version++;
    }
    assert(r->metric == metric); // SAFE
    assert(r->version >= 0 && r->version <= 1000); // SAFE
    pthread_rwlock_unlock(&r->lock);
    return 0;
}

static void *forwarder(void *arg) {
    (void)arg;
    int worst = 0;
    for (int i = 0; i < 3; i++) {
        int metric = look_up(rand() % ROUTES);
        if (metric > worst)
            worst = metric;
    }
    assert(worst >= 0); // SAFE
    assert(worst <= INFINITE); // SAFE
    return NULL;
}

static void *updates(void *arg) {
    (void)arg;
    for (int i = 0; i < 2; i++)
        change(rand() % 30, rand() % 40);
    return NULL;
}

int main(void) {
    routes = calloc(ROUTES, sizeof *routes);
    if (routes == NULL)
        return 1;
    for (int i = 0; i < ROUTES; i++) {
        pthread_rwlock_init(&routes[i].lock, NULL);
        routes[i].metric = INFINITE;
    }
    pthread_t readers[2], writer;
    for (int i = 0; i < 2; i++)
        pthread_create(&readers[i], NULL, forwarder, NULL);
    pthread_create(&writer, NULL, updates, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(readers[i], NULL);
    pthread_join(writer, NULL);
    for (int i = 0; i < ROUTES; i++) {
        assert(routes[i].metric <= INFINITE); // SAFE
        assert(routes[i].version >= 0); // SAFE
        pthread_rwlock_destroy(&routes[i].lock);
    }
    free(routes);
    return 0;
}
