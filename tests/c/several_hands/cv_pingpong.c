// ARGS: --properties assertion,data-race
// Ping and pong take turns; the numbers of their strokes differ by at most one.
#include <assert.h>
#include <pthread.h>

#define N 10
static int turn, pings, pongs; // SAFE
static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *ping(void *x) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&mu);
        while (turn != 0)
            pthread_cond_wait(&changed, &mu);
        assert(pings == pongs); // SAFE
        assert(pings == i); // SAFE
        pings++;
        turn = 1;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&mu);
    }
    return x;
}

static void *pong(void *x) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&mu);
        while (turn != 1)
            pthread_cond_wait(&changed, &mu);
        assert(pings == pongs + 1); // SAFE
        pongs++;
        turn = 0;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&mu);
    }
    return x;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, ping, 0);
    pthread_create(&b, 0, pong, 0);
    pthread_mutex_lock(&mu);
    assert(pings - pongs == turn); // SAFE
    assert(pings <= N); // SAFE
    assert(pings == pongs); // UNSAFE!
    pthread_mutex_unlock(&mu);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(pings == N); // SAFE
    assert(pongs == N); // SAFE
    assert(turn == 0); // SAFE
    return 0;
}
