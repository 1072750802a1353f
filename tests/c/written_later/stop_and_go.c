// A worker that can be paused and stopped: a state under a lock with a condition.
#include <assert.h>
#include <pthread.h>

enum state { RUNNING, PAUSED, STOPPED };

static enum state state = RUNNING;
static int rounds, pauses;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *worker(void *unused) {
    int mine = 0;
    pthread_mutex_lock(&lock);
    while (state != STOPPED) {
        while (state == PAUSED)
            pthread_cond_wait(&changed, &lock);
        assert(state == RUNNING || state == STOPPED); // SAFE
        if (state == RUNNING) {
            assert(rounds == mine); // SAFE
            rounds++;
            mine++;
        }
        pthread_mutex_unlock(&lock);
        __goblint_check(state != STOPPED); // UNSAFE!
        pthread_mutex_lock(&lock);
        assert(rounds == mine); // SAFE
        if (mine == 50)
            break;
    }
    assert(state == STOPPED || mine == 50); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

static void set(enum state wanted) {
    pthread_mutex_lock(&lock);
    assert(state != STOPPED); // SAFE
    if (state == RUNNING && wanted == PAUSED)
        pauses++;
    state = wanted;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

int main(void) {
    pthread_t w;
    pthread_create(&w, 0, worker, 0);
    set(PAUSED);
    pthread_mutex_lock(&lock);
    int before = rounds;
    assert(state == PAUSED); // SAFE
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    // Nobody goes on while main has it paused.
    assert(rounds == before); // SAFE
    pthread_mutex_unlock(&lock);
    set(RUNNING);
    set(STOPPED);
    pthread_join(w, 0);
    assert(rounds >= before); // SAFE
    assert(rounds <= 50); // SAFE
    assert(pauses == 1); // SAFE
    assert(state == STOPPED); // SAFE
    __goblint_check(rounds > 0); // UNSAFE!
    return 0;
}
