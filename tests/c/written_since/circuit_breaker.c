// A circuit breaker before a service: after failures in a row calls are refused until a probe succeeds.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define LIMIT 2
enum state { CLOSED, OPEN, PROBING };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum state state = CLOSED;
static int failures, trips, recoveries, refused, calls;

static bool enter(void) {
    bool is_let_in = true;
    pthread_mutex_lock(&lock);
    if (state == PROBING) {
        is_let_in = false;
        refused++;
    } else if (state == OPEN) {
        assert(failures == 0); // SAFE
        state = PROBING;
    } else {
        assert(failures < LIMIT); // SAFE
    }
    if (is_let_in)
        calls++;
    assert(state != OPEN); // SAFE
    assert(calls + refused >= 1); // SAFE
    pthread_mutex_unlock(&lock);
    return is_let_in;
}

static void leave(bool has_succeeded) {
    pthread_mutex_lock(&lock);
    if (has_succeeded) {
        if (state == PROBING) {
            state = CLOSED;
            recoveries++;
        }
        failures = 0;
    } else if (state == PROBING) {
        state = OPEN;
        recoveries++;
        trips++;
    } else if (state == CLOSED && ++failures == LIMIT) {
        state = OPEN;
        trips++;
        failures = 0;
    }
    assert(failures >= 0 && failures < LIMIT); // SAFE
    assert(recoveries <= trips); // SAFE
    assert(state == CLOSED || trips > 0); // SAFE
    assert(trips - recoveries == (state != CLOSED)); // SAFE
    pthread_mutex_unlock(&lock);
}

static void *client(void *unused) {
    int own = 0;
    for (int i = 0; i < 3; i++) {
        if (enter()) {
            own++;
            leave(rand() % 2);
        }
    }
    pthread_mutex_lock(&lock);
    assert(own <= calls); // SAFE
    assert(own <= 3); // SAFE
    __goblint_check(refused == 0); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, client, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(calls + refused == 6); // SAFE
    assert(trips >= recoveries); // SAFE
    assert(trips <= 6); // SAFE
    __goblint_check(state != OPEN); // UNSAFE!
    return 0;
}
