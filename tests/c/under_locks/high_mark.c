// The largest sample so far is kept under a lock: who has offered one finds at least as much there, also later, as the
// mark is only ever raised.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int mark;

static void offer(int sample) {
    pthread_mutex_lock(&lock);
    if (sample > mark)
        mark = sample;
    assert(mark >= sample); // SAFE
    pthread_mutex_unlock(&lock);
}

static void *sampler(void *unused) {
    for (int n = 0; n < 20; n++) {
        int sample = __VERIFIER_nondet_int();
        if (sample > 4095)
            continue;
        offer(sample);
        assert(sample <= 4095); // SAFE
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, sampler, 0);
    pthread_create(&b, 0, sampler, 0);
    pthread_mutex_lock(&lock);
    int first = mark;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    int second = mark;
    pthread_mutex_unlock(&lock);
    assert(first >= 0); // SAFE
    assert(second <= 4095); // SAFE
    assert(first <= second); // SAFE
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
