// Three searchers each give back how good their best find was; main takes the best of these.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int record = -1;

static void *search(void *arg) {
    int best = (int)(intptr_t)arg;
    for (int i = 0; i < 5; i++) {
        int score = __VERIFIER_nondet_int();
        if (score > best && score <= 100)
            best = score;
    }
    pthread_mutex_lock(&m);
    if (best > record)
        record = best;
    assert(record >= best); // SAFE
    pthread_mutex_unlock(&m);
    if (best > 90)
        pthread_exit((void *)(intptr_t)90);
    return (void *)(intptr_t)best;
}

int main(void) {
    pthread_t t[3];
    int results[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, search, (void *)(intptr_t)(10 * i));
    for (int i = 0; i < 3; i++) {
        void *r;
        pthread_join(t[i], &r);
        results[i] = (int)(intptr_t)r;
        assert(results[i] >= 10 * i); // SAFE
        assert(results[i] <= 90); // SAFE
    }
    int best = results[0];
    for (int i = 1; i < 3; i++)
        if (results[i] > best)
            best = results[i];
    assert(best >= 20); // SAFE
    assert(best >= results[1]); // SAFE
    // The record was raised to the best of each before it was cut off at 90.
    assert(record >= 20); // SAFE
    assert(record >= best); // UNKNOWN (a result that a global was raised to)
    assert(record == best); // UNSAFE!
    return 0;
}
