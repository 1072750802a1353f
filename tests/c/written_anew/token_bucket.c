// A rate limiter: a clock refills a bucket, callers take several tokens at once or are turned away.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define BURST 6
struct bucket {
    pthread_mutex_t lock;
    int tokens, taken, refilled, rejected;
};
static struct bucket bucket = {.lock = PTHREAD_MUTEX_INITIALIZER, .tokens = BURST};

static int take(struct bucket *b, int wanted) {
    int ok = 0;
    pthread_mutex_lock(&b->lock);
    if (wanted <= b->tokens) {
        b->tokens -= wanted;
        b->taken += wanted;
        ok = 1;
        assert(b->tokens >= 0); // SAFE
    } else {
        b->rejected++;
    }
    assert(b->taken + b->tokens == BURST + b->refilled); // SAFE
    pthread_mutex_unlock(&b->lock);
    return ok;
}

static void *caller(void *unused) {
    int used = 0;
    for (int i = 0; i < 3; i++) {
        int wanted = 1 + rand() % 3;
        if (take(&bucket, wanted))
            used += wanted;
    }
    pthread_mutex_lock(&bucket.lock);
    assert(bucket.taken >= used); // SAFE
    assert(used <= 9); // SAFE
    __goblint_check(bucket.rejected == 0); // UNSAFE!
    pthread_mutex_unlock(&bucket.lock);
    return 0;
}

static void *clock_tick(void *unused) {
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&bucket.lock);
        if (bucket.tokens < BURST) {
            bucket.tokens++;
            bucket.refilled++;
        }
        assert(bucket.tokens <= BURST); // SAFE
        assert(bucket.refilled <= i + 1); // SAFE
        pthread_mutex_unlock(&bucket.lock);
    }
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, caller, 0);
    pthread_create(&b, 0, caller, 0);
    pthread_create(&c, 0, clock_tick, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(bucket.refilled >= 0 && bucket.refilled <= 4); // SAFE
    assert(bucket.taken <= BURST + 4); // SAFE
    assert(bucket.rejected <= 6); // SAFE
    return 0;
}
