// ARGS: --properties assertion,array-bounds
// A token bucket: one thread refills it up to its burst, workers take tokens or are turned away.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define BURST 10
#define RATE 3

struct bucket {
    pthread_mutex_t lock;
    int tokens;
    int granted, refused, added;
};

static struct bucket bucket = {PTHREAD_MUTEX_INITIALIZER, BURST, 0, 0, 0};
static bool stop;

static bool bucket_take(struct bucket *b, int want) {
    bool ok = false;
    pthread_mutex_lock(&b->lock);
    if (b->tokens >= want) {
        b->tokens -= want;
        b->granted += want;
        ok = true;
    } else {
        b->refused++;
    }
    assert(b->tokens >= 0); // SAFE
    assert(b->tokens + b->granted == BURST + b->added); // SAFE
    pthread_mutex_unlock(&b->lock);
    return ok;
}

static void *refill(void *arg) {
    struct bucket *b = arg;
    for (;;) {
        pthread_mutex_lock(&b->lock);
        if (stop) {
            pthread_mutex_unlock(&b->lock);
            break;
        }
        int space = BURST - b->tokens;
        int add = space < RATE ? space : RATE;
        assert(add >= 0); // SAFE
        b->tokens += add;
        b->added += add;
        assert(b->tokens <= BURST); // SAFE
        pthread_mutex_unlock(&b->lock);
    }
    return 0;
}

static void *client(void *arg) {
    int got = 0, turned = 0;
    for (int i = 1; i <= 5; i++) {
        if (bucket_take(&bucket, 2))
            got++;
        else
            turned++;
        assert(got + turned == i); // SAFE
    }
    return (void *)(long)got;
}

int main(void) {
    pthread_t r, c[3];
    long got = 0;
    pthread_create(&r, 0, refill, &bucket);
    for (int i = 0; i < 3; i++)
        pthread_create(&c[i], 0, client, 0);
    for (int i = 0; i < 3; i++) {
        void *result;
        pthread_join(c[i], &result);
        got += (long)result;
    }
    pthread_mutex_lock(&bucket.lock);
    stop = true;
    pthread_mutex_unlock(&bucket.lock);
    pthread_join(r, 0);
    assert(got <= 15); // SAFE
    assert(bucket.granted == 2 * got); // SAFE
    assert(bucket.granted / 2 + bucket.refused == 15); // UNKNOWN (half of what is even)
    assert(bucket.tokens <= BURST); // SAFE
    assert(bucket.refused == 0); // UNSAFE!
    return 0;
}
