// A token bucket: a refiller adds tokens up to a burst, clients take some or are turned away.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define BURST 5
extern int __VERIFIER_nondet_int(void);

struct bucket { pthread_mutex_t lock; int tokens, added, granted, denied; };
static struct bucket bucket = {PTHREAD_MUTEX_INITIALIZER, BURST, 0, 0, 0};
static volatile bool stopping;

static bool take(struct bucket *b, int n) {
    bool ok = false;
    pthread_mutex_lock(&b->lock);
    if (b->tokens >= n) {
        b->tokens -= n;
        b->granted += n;
        ok = true;
    } else {
        b->denied++;
        assert(n > b->tokens); // SAFE
    }
    assert(b->tokens >= 0); // SAFE
    assert(b->tokens + b->granted == BURST + b->added); // SAFE
    pthread_mutex_unlock(&b->lock);
    return ok;
}

static void *refiller(void *unused) {
    while (!stopping) {
        pthread_mutex_lock(&bucket.lock);
        if (bucket.tokens < BURST && bucket.added < 100000) {
            bucket.tokens++;
            bucket.added++;
        }
        assert(bucket.tokens <= BURST); // SAFE
        pthread_mutex_unlock(&bucket.lock);
    }
    return 0;
}

static void *client(void *unused) {
    int got = 0;
    for (int i = 0; i < 4; i++) {
        int n = 1 + (__VERIFIER_nondet_int() & 1);
        if (take(&bucket, n))
            got += n;
        assert(got <= 8); // SAFE
    }
    pthread_mutex_lock(&bucket.lock);
    assert(bucket.granted >= 0); // SAFE
    // Other clients only grant themselves more.
    assert(bucket.granted >= got); // SAFE
    __goblint_check(bucket.denied == 0); // UNSAFE!
    pthread_mutex_unlock(&bucket.lock);
    return 0;
}

int main(void) {
    pthread_t r, a, b;
    pthread_create(&r, 0, refiller, 0);
    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, client, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    stopping = true;
    pthread_join(r, 0);
    assert(bucket.granted <= 16); // SAFE
    assert(bucket.tokens + bucket.granted - bucket.added == BURST); // SAFE
    return 0;
}
