// Workers return a status as an integer in a pointer; a supervisor joins them and reports by its own result.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

enum status { DONE, SKIPPED, FAILED };

static pthread_t supervisor_id;
static int failures;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
    intptr_t n = (intptr_t)arg;
    assert(n >= 0 && n < 3); // SAFE
    // The supervisor set it before, and waits for its workers.
    assert(!pthread_equal(pthread_self(), supervisor_id)); // UNKNOWN (who has not ended yet)
    if (n == 1)
        return (void *)SKIPPED;
    if (n == 2) {
        pthread_mutex_lock(&m);
        failures++;
        pthread_mutex_unlock(&m);
        return (void *)FAILED;
    }
    return (void *)DONE;
}

static void *supervise(void *arg) {
    pthread_t w[3];
    void *status;
    int bad = 0, seen = 0;
    supervisor_id = pthread_self();
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&w[i], NULL, work, (void *)i);
    for (int i = 0; i < 3; i++) {
        pthread_join(w[i], &status);
        assert((intptr_t)status >= DONE && (intptr_t)status <= FAILED); // SAFE
        if ((intptr_t)status == FAILED)
            bad++;
        seen++;
    }
    assert(seen == 3); // SAFE
    assert(bad == 1); // SAFE
    assert(failures == bad); // SAFE
    *(int *)arg = seen;
    return (void *)(intptr_t)bad;
}

int main(void) {
    pthread_t s;
    void *r;
    int seen = 0;
    pthread_create(&s, NULL, supervise, &seen);
    pthread_join(s, &r);
    assert((intptr_t)r == 1); // SAFE
    assert(seen == 3); // SAFE
    assert(failures == 1); // SAFE
    return 0;
}
