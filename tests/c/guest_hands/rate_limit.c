// A bucket of permits that a timer fills up; requests take some or are turned away.
#include <assert.h>
#include <pthread.h>

#define CAPACITY 5

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int permits = CAPACITY, granted, denied, refilled, spilled;
static int running = 1;

static int take(int n) {
    int ok = 0;
    pthread_mutex_lock(&m);
    if (permits >= n) {
        permits -= n;
        granted += n;
        ok = 1;
    } else
        denied++;
    assert(permits >= 0); // SAFE
    assert(permits + granted == CAPACITY + refilled); // SAFE
    pthread_mutex_unlock(&m);
    return ok;
}

static void *timer(void *unused) {
    pthread_mutex_lock(&m);
    while (running) {
        if (permits < CAPACITY) {
            permits++;
            refilled++;
        } else
            spilled++;
        assert(permits <= CAPACITY); // SAFE
        assert(permits >= 1); // SAFE
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
    }
    assert(granted >= refilled); // SAFE
    pthread_mutex_unlock(&m);
    return unused;
}

static void *request(void *arg) {
    int size = *(const int *)arg;
    int got = 0;
    for (int i = 0; i < 3; i++)
        if (take(size))
            got += size;
    pthread_mutex_lock(&m);
    assert(granted >= got); // SAFE
    pthread_mutex_unlock(&m);
    assert(got <= 3 * size); // SAFE
    return 0;
}

int main(void) {
    static const int small = 1, large = 2;
    pthread_t t, a, b;
    pthread_create(&t, 0, timer, 0);
    pthread_create(&a, 0, request, (void *)&small);
    pthread_create(&b, 0, request, (void *)&large);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_mutex_lock(&m);
    running = 0;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    assert(granted <= 9); // SAFE
    assert(denied <= 6); // SAFE
    assert(permits == CAPACITY + refilled - granted); // SAFE
    assert(spilled > 0); // UNSAFE!
    return 0;
}
