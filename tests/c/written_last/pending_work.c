// A count of work that is pending: workers take a unit and finish it; main waits until nothing is pending.
#include <assert.h>
#include <pthread.h>

#define UNITS 5
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t idle = PTHREAD_COND_INITIALIZER;
static int waiting = UNITS, running, finished;

static void *worker(void *unused) {
    int mine = 0;
    pthread_mutex_lock(&lock);
    while (waiting > 0) {
        waiting--;
        running++;
        assert(running >= 1); // SAFE
        assert(running <= 2); // SAFE
        pthread_mutex_unlock(&lock);
        mine++;
        pthread_mutex_lock(&lock);
        assert(running > 0); // SAFE
        running--;
        finished++;
        assert(waiting + running + finished == UNITS); // SAFE
        if (finished == UNITS)
            pthread_cond_signal(&idle);
    }
    pthread_mutex_unlock(&lock);
    assert(mine <= UNITS); // SAFE
    __goblint_check(mine > 0); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_mutex_lock(&lock);
    while (finished < UNITS)
        pthread_cond_wait(&idle, &lock);
    assert(waiting == 0); // SAFE
    assert(running == 0); // SAFE
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(finished == UNITS); // SAFE
    return 0;
}
