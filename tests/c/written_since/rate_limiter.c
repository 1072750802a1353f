// A limiter with a bucket for each client: tokens are refilled by a timer and spent by requests.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define CLIENTS 6
#define BURST 5

typedef struct {
    pthread_mutex_t mutex;
    int tokens;
    unsigned granted, denied;
} bucket_t;

typedef struct {
    bucket_t buckets[CLIENTS];
    pthread_mutex_t mutex;
    int rounds;
    bool stop;
} limiter_t;

static limiter_t limiter = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static bool allow(limiter_t *l, int client) {
    assert(client >= 0 && client < CLIENTS); // SAFE
    bucket_t *b = &l->buckets[client];
    bool ok;
    pthread_mutex_lock(&b->mutex);
    assert(b->tokens >= 0); // SAFE
    ok = b->tokens > 0;
    if (ok) {
        b->tokens--;
        b->granted++;
    } else {
        b->denied++;
    }
    assert(b->tokens >= 0); // SAFE
    assert(b->tokens <= BURST); // SAFE
    pthread_mutex_unlock(&b->mutex);
    return ok;
}

static void refill(limiter_t *l) {
    for (int i = 0; i < CLIENTS; i++) {
        pthread_mutex_lock(&l->buckets[i].mutex);
        if (l->buckets[i].tokens < BURST)
            l->buckets[i].tokens++;
        assert(l->buckets[i].tokens >= 1); // UNKNOWN (what a flag says of a member)
        pthread_mutex_unlock(&l->buckets[i].mutex);
    }
}

static void *timer(void *arg) {
    limiter_t *l = arg;
    for (;;) {
        pthread_mutex_lock(&l->mutex);
        bool stop = l->stop;
        if (!stop && l->rounds < 3)
            l->rounds++;
        assert(l->rounds <= 3); // SAFE
        pthread_mutex_unlock(&l->mutex);
        if (stop)
            break;
        refill(l);
    }
    return NULL;
}

static void *requests(void *arg) {
    int *passed = arg, count = 0;
    for (int i = 0; i < 3; i++)
        if (allow(&limiter, rand() % CLIENTS))
            count++;
    assert(count <= 3); // SAFE
    *passed = count;
    return NULL;
}

int main(void) {
    pthread_t clock, users[2];
    int passed[2];
    for (int i = 0; i < CLIENTS; i++) {
        pthread_mutex_init(&limiter.buckets[i].mutex, NULL);
        limiter.buckets[i].tokens = BURST;
    }
    pthread_create(&clock, NULL, timer, &limiter);
    for (int i = 0; i < 2; i++)
        pthread_create(&users[i], NULL, requests, &passed[i]);
    for (int i = 0; i < 2; i++) {
        pthread_join(users[i], NULL);
        assert(passed[i] >= 0 && passed[i] <= 3); // SAFE
    }
    pthread_mutex_lock(&limiter.mutex);
    limiter.stop = true;
    __goblint_check(limiter.rounds == 3); // UNSAFE!
    pthread_mutex_unlock(&limiter.mutex);
    pthread_join(clock, NULL);
    assert(limiter.stop); // SAFE
    return 0;
}
