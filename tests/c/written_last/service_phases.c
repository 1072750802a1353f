// A service that starts, runs and stops; workers look at its phase.
#include <assert.h>
#include <pthread.h>

enum phase { STARTING, RUNNING, STOPPING, STOPPED };
static enum phase phase;
static int settings, served;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;

static void move_to(enum phase next) {
    pthread_mutex_lock(&lock);
    assert(next == phase + 1); // SAFE
    phase = next;
    pthread_cond_broadcast(&moved);
    pthread_mutex_unlock(&lock);
}

static void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    while (phase == STARTING)
        pthread_cond_wait(&moved, &lock);
    assert(settings == 42); // SAFE
    int seen = phase;
    while (phase == RUNNING) {
        served++;
        assert(served >= 1); // SAFE
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        assert(phase >= seen); // SAFE
    }
    assert(phase >= STOPPING); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    settings = 42;
    assert(served == 0); // SAFE
    move_to(RUNNING);
    move_to(STOPPING);
    pthread_mutex_lock(&lock);
    assert(phase == STOPPING); // SAFE
    __goblint_check(served == 0); // UNSAFE!
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
    pthread_join(b, 0);
    move_to(STOPPED);
    assert(phase == STOPPED); // SAFE
    return 0;
}
