// ARGS: --properties assertion,data-race
// Shares are sold at three coins each: coins == 3 * shares, whenever the till is closed.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t till = PTHREAD_MUTEX_INITIALIZER;
static int coins, shares; // SAFE

static void *buyer(void *arg) {
    for (int i = 0; i < 5; i++) {
        pthread_mutex_lock(&till);
        if (shares < 50) {
            shares += 1;
            coins += 3;
        }
        assert(coins == 3 * shares); // SAFE
        assert(coins <= 150); // SAFE
        pthread_mutex_unlock(&till);
    }
    return 0;
}

static void *seller(void *arg) {
    int n = 2;
    pthread_mutex_lock(&till);
    if (coins >= 3 * n) {
        coins -= 3 * n;
        shares -= n;
        assert(shares >= 0); // SAFE
    }
    pthread_mutex_unlock(&till);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, buyer, 0);
    pthread_create(&b, 0, buyer, 0);
    pthread_create(&c, 0, seller, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(coins == 3 * shares); // SAFE
    assert(shares <= 10); // SAFE
    assert(shares == 8); // UNSAFE!
    return 0;
}
