// ARGS: --properties assertion,data-race
// Two threads that pass a ball by an atomic turn.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define ROUNDS 50

static atomic_int turn;
static int ball, pings, pongs;

static void *ping(void *arg) {
    (void)arg;
    for (int i = 0; i < ROUNDS; i++) {
        while (atomic_load(&turn) != 0)
            ;
        assert(pings == pongs); // SAFE
        assert(ball == 2 * i); // SAFE
        ball++;
        pings++;
        atomic_store(&turn, 1);
    }
    return NULL;
}

static void *pong(void *arg) {
    (void)arg;
    for (int i = 0; i < ROUNDS; i++) {
        while (atomic_load(&turn) != 1)
            ;
        assert(pings == pongs + 1); // SAFE
        assert(ball % 2 == 1); // SAFE
        ball++;
        pongs++;
        atomic_store(&turn, 0);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, ping, NULL);
    pthread_create(&b, NULL, pong, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(pings == ROUNDS); // SAFE
    assert(pongs == ROUNDS); // SAFE
    assert(ball == 2 * ROUNDS); // SAFE
    return 0;
}
