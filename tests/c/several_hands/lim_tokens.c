// ARGS: --properties assertion,data-race,overflow
// A token bucket: a timer fills it, clients take tokens from it.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define BURST 20
#define RATE 5

struct bucket {
    pthread_mutex_t lock;
    int tokens;
    long granted, denied, requests;
};

static struct bucket b = {PTHREAD_MUTEX_INITIALIZER, BURST, 0, 0, 0};
static volatile bool stop;

static int min(int x, int y) { return x < y ? x : y; }

static bool take(int n) {
    bool ok = false;
    pthread_mutex_lock(&b.lock);
    if (b.requests < 1000000) {
        b.requests++;
        if (b.tokens >= n) {
            b.tokens -= n;
            b.granted++;
            ok = true;
        } else
            b.denied++;
    }
    assert(b.tokens >= 0); // SAFE
    assert(b.granted + b.denied == b.requests); // SAFE
    pthread_mutex_unlock(&b.lock);
    return ok;
}

static void *timer(void *arg) {
    (void)arg;
    for (int tick = 0; tick < 100; tick++) {
        pthread_mutex_lock(&b.lock);
        b.tokens = min(BURST, b.tokens + RATE);
        assert(b.tokens <= BURST); // SAFE
        assert(b.tokens >= RATE); // SAFE
        pthread_mutex_unlock(&b.lock);
    }
    return NULL;
}

static void *client(void *arg) {
    int *got = arg;
    for (int i = 0; i < 30; i++)
        if (take(1 + i % 3))
            (*got)++;
    assert(*got <= 30); // SAFE
    return NULL;
}

int main(void) {
    pthread_t t, c1, c2;
    int g1 = 0, g2 = 0;
    pthread_create(&t, NULL, timer, NULL);
    pthread_create(&c1, NULL, client, &g1);
    pthread_create(&c2, NULL, client, &g2);
    pthread_join(c1, NULL);
    pthread_join(c2, NULL);
    pthread_join(t, NULL);
    assert(b.requests == 60); // SAFE
    assert(b.granted == g1 + g2); // SAFE
    assert(b.denied <= 60); // SAFE
    assert(b.tokens >= 0 && b.tokens <= BURST); // SAFE
    return 0;
}
