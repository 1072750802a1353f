// Initialised by whoever comes first: others wait until that is finished.
#include <pthread.h>
#include <assert.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t finished = PTHREAD_COND_INITIALIZER;
static enum { NOT_YET, RUNNING, DONE } state;
static int table[3], runs;

static void ensure(void) {
    pthread_mutex_lock(&guard);
    if (state == NOT_YET) {
        state = RUNNING;
        pthread_mutex_unlock(&guard);
        assert(runs == 0); // SAFE
        runs++;
        for (int i = 0; i < 3; i++) table[i] = i * i;
        pthread_mutex_lock(&guard);
        assert(state == RUNNING); // SAFE
        state = DONE;
        pthread_cond_broadcast(&finished);
    } else {
        while (state != DONE) pthread_cond_wait(&finished, &guard);
    }
    assert(state == DONE); // SAFE
    pthread_mutex_unlock(&guard);
}

static void *user(void *unused) {
    assert(state == NOT_YET); // UNSAFE!
    ensure();
    assert(state == DONE); // SAFE
    assert(table[2] == 4); // SAFE
    return 0;
}

int main(void) {
    pthread_t users[3];
    for (int i = 0; i < 3; i++) pthread_create(&users[i], 0, user, 0);
    ensure();
    assert(runs == 1); // SAFE
    for (int i = 0; i < 3; i++) pthread_join(users[i], 0);
    assert(table[1] == 1); // SAFE
    return 0;
}
