// ARGS: --properties assertion
// Twins that fail: a barrier of two that three threads use, a counter that somebody resets, a wait without a loop.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t pair;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int written[3], is_full;
static atomic_int events;

static void *writer(void *argument) {
    int me = *(int *)argument;
    written[me] = 1;
    atomic_fetch_add(&events, 1);
    if (pthread_barrier_wait(&pair) == PTHREAD_BARRIER_SERIAL_THREAD)
        atomic_store(&events, 0);
    __goblint_check(written[0] + written[1] + written[2] == 3); // UNSAFE!
    return 0;
}

static void *taker(void *unused) {
    pthread_mutex_lock(&lock);
    if (!is_full)
        pthread_cond_wait(&changed, &lock);
    __goblint_check(is_full); // UNSAFE!
    is_full = 0;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t[3], a, b;
    static int number[3] = {0, 1, 2};
    pthread_barrier_init(&pair, 0, 2);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, writer, &number[i]);
    pthread_create(&a, 0, taker, 0);
    pthread_create(&b, 0, taker, 0);
    int seen = atomic_load(&events);
    assert(seen >= 0); // UNKNOWN (how often a counter that is also set is raised)
    __goblint_check(atomic_load(&events) >= seen); // UNSAFE!
    pthread_mutex_lock(&lock);
    is_full = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return 0;
}
