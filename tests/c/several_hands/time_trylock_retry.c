// ARGS: --properties assertion,data-race,overflow
// Attempts are limited: a thread that does not get the lock in time gives up and says so.
#include <assert.h>
#include <pthread.h>

enum { TRIES = 4 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value, got; // SAFE

static int lock_in_time(void) {
    int attempt;
    for (attempt = 0; attempt < TRIES; attempt++)
        if (pthread_mutex_trylock(&m) == 0)
            break;
    assert(attempt <= TRIES); // SAFE
    return attempt < TRIES;
}

static void *worker(void *arg) {
    int mine = 0, gave_up = 0;
    for (int i = 0; i < 10; i++) {
        if (!lock_in_time()) {
            gave_up++;
            continue;
        }
        int v = value;
        value = v + 1;
        got++;
        mine++;
        assert(value == got); // SAFE
        assert(got >= mine); // SAFE
        pthread_mutex_unlock(&m);
    }
    assert(mine + gave_up == 10); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_create(&c, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(value == got); // SAFE
    assert(value <= 30); // SAFE
    assert(value >= 1); // UNKNOWN (that somebody has come first)
    return 0;
}
