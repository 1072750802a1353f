// ARGS: --properties assertion
// A time under a sequence lock: the writer makes the sequence odd while it writes, readers try again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int seconds, ticks;
static pthread_mutex_t writers = PTHREAD_MUTEX_INITIALIZER;

static void tick(void) {
    pthread_mutex_lock(&writers);
    assert(sequence % 2 == 0); // SAFE
    sequence++;
    assert(sequence % 2 == 1); // SAFE
    ticks++;
    if (ticks % 10 == 0)
        seconds++;
    sequence++;
    assert(sequence % 2 == 0); // SAFE
    assert(seconds * 10 <= ticks); // UNKNOWN (a tenth of a count)
    pthread_mutex_unlock(&writers);
}

static void now(int *s, int *t) {
    unsigned before;
    do {
        while ((before = sequence) % 2)
            ;
        *s = seconds;
        *t = ticks;
    } while (sequence != before);
    assert(before % 2 == 0); // SAFE
}

static void *ticker(void *arg) {
    for (int i = 0; i < 15; i++)
        tick();
    return arg;
}

static void *watcher(void *arg) {
    int s, t, last = 0;
    for (int i = 0; i < 4; i++) {
        now(&s, &t);
        assert(t >= last); // SAFE
        assert(s * 10 <= t); // UNKNOWN (a pair under a sequence lock)
        assert(t < s * 10 + 10); // UNKNOWN (a pair under a sequence lock)
        last = t;
    }
    return arg;
}

int main(void) {
    pthread_t a, b, w;
    pthread_create(&a, 0, ticker, 0);
    pthread_create(&b, 0, ticker, 0);
    pthread_create(&w, 0, watcher, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(w, 0);
    assert(ticks == 30); // SAFE
    assert(sequence == 60); // SAFE
    assert(seconds == 3); // UNKNOWN (a tenth of a count)
    assert(seconds == 2); // UNSAFE!
    return 0;
}
