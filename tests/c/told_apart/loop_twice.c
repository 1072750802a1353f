// A loop runs a constant number of times, but another thread may change what it adds: the sum is only bounded.
#include <assert.h>
#include <pthread.h>

static int unit = 1;

static void *doubler(void *unused) {
    unit = 2;
    return 0;
}

static void *adder(void *unused) {
    int sum = 0, n = 0;
    for (int i = 0; i < 6; i++) {
        sum += unit;
        n++;
    }
    assert(n == 6); // SAFE
    __goblint_check(sum >= 6); // SAFE
    __goblint_check(sum <= 12); // SAFE
    __goblint_check(sum == 6 || sum == 12); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, doubler, 0);
    pthread_create(&b, 0, adder, 0);
    return 0;
}
