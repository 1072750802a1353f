// ARGS: --properties assertion,data-race
// Three threads, the last of which finds all three results.
#include <assert.h>
#include <pthread.h>

static int done; // SAFE
static int one, two, three; // SAFE
static int all; // SAFE
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void finish(void) {
    int n;
    pthread_mutex_lock(&m);
    n = ++done;
    pthread_mutex_unlock(&m);
    assert(n >= 1 && n <= 3); // SAFE
    if (n == 3) {
        all = one + two + three;
        assert(all == 6); // SAFE
    }
}

static void *first(void *unused) {
    one = 1;
    finish();
    return 0;
}

static void *second(void *unused) {
    two = 2;
    finish();
    return 0;
}

static void *third(void *unused) {
    three = 3;
    finish();
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_create(&c, 0, third, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
