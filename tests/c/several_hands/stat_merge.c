// ARGS: --properties assertion,data-race,overflow
// Local statistics are merged under a lock when a thread ends; min and max with them.
#include <assert.h>
#include <limits.h>
#include <pthread.h>

static struct { int n; long sum; int min, max; } g = {0, 0, INT_MAX, INT_MIN};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
extern int __VERIFIER_nondet_int(void);

static void *collect(void *arg) {
    int n = 0, min = INT_MAX, max = INT_MIN;
    long sum = 0;
    for (int i = 0; i < 10; i++) {
        int s = __VERIFIER_nondet_int();
        if (s < 0 || s > 100)
            continue;
        n++;
        sum += s;
        if (s < min) min = s;
        if (s > max) max = s;
    }
    assert(n <= 10); // SAFE
    assert(sum <= 100L * n); // SAFE
    assert(n == 0 || min <= max); // SAFE
    pthread_mutex_lock(&m);
    g.n += n;
    g.sum += sum;
    if (n > 0) {
        if (min < g.min) g.min = min;
        if (max > g.max) g.max = max;
        assert(g.min <= g.max); // SAFE
    }
    assert(g.sum <= 100L * g.n); // SAFE
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, collect, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(g.n <= 30); // SAFE
    assert(g.sum <= 3000); // UNKNOWN (what several have found together)
    assert(g.sum <= 100L * g.n); // SAFE
    assert(g.n == 0 || g.min <= g.max); // UNKNOWN (what several have found together)
    assert(g.max <= 100); // SAFE
    return 0;
}
