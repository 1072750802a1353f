// A byte that wraps: three threads add 100 each, which is 300 - 256 in the end; two make no more than 200.
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

static _Atomic unsigned char three, two;

static void *both(void *unused) {
    three += 100;
    two += 100;
    return 0;
}

static void *one(void *unused) {
    three += 100;
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, both, 0);
    pthread_create(&b, 0, both, 0);
    pthread_create(&c, 0, one, 0);
    assert(two <= 200); // SAFE
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(two == 200); // SAFE
    assert(three >= 100); // UNSAFE!
    assert(three == 44); // UNKNOWN (what wraps is not counted)
    return 0;
}
