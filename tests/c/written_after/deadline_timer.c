// ARGS: --properties assertion,overflow,division-by-zero
// A timer thread that counts ticks; jobs arm a deadline, and it says which of them were late; a last tick ends it.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ticked = PTHREAD_COND_INITIALIZER;
static int now, deadline, armed, expired, disarmed;
static bool over;

static void *timer(void *unused) {
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&lock);
        now++; // SAFE
        assert(now == i + 1); // SAFE
        if (armed && now >= deadline) {
            assert(deadline > 0); // SAFE
            armed = 0;
            expired++; // SAFE
        }
        assert(!armed || deadline > now); // SAFE
        pthread_cond_broadcast(&ticked);
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    over = true;
    pthread_cond_broadcast(&ticked);
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *job(void *unused) {
    pthread_mutex_lock(&lock);
    int began = now;
    deadline = now + 2; // SAFE
    armed = 1;
    while (armed && !over)
        pthread_cond_wait(&ticked, &lock);
    assert(now >= began); // SAFE
    assert(!armed || over); // SAFE
    if (armed) {
        armed = 0;
        disarmed++; // SAFE
        assert(now == 4); // SAFE
    } else {
        assert(expired == 1); // SAFE
        assert(now >= 2); // SAFE
    }
    assert(expired + disarmed == 1); // SAFE
    __goblint_check(expired == 1); // UNSAFE!
    int rate = 100 / (1 + now - began); // SAFE
    assert(rate > 0 && rate <= 100); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t, j;
    pthread_create(&j, 0, job, 0);
    pthread_create(&t, 0, timer, 0);
    pthread_join(t, 0);
    assert(over && now == 4); // SAFE
    __goblint_check(armed == 0); // UNSAFE!
    pthread_join(j, 0);
    assert(!armed); // SAFE
    assert(expired <= 1 && disarmed <= 1); // SAFE
    assert(deadline >= 2 && deadline <= 6); // SAFE
    return 0;
}
