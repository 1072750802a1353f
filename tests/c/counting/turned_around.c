// What is taken whole is positive, but what another thread turns around in one step is not: what it adds is over what it
// reads in that step, not over what its variable held before.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin();
void __VERIFIER_atomic_end();

static int depth, stock;

static void *dive(void *arg)
{
    __VERIFIER_atomic_begin();
    depth += 3;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    stock += 3;
    __VERIFIER_atomic_end();
    return arg;
}

static void *turn(void *arg)
{
    int seen = 0, left = 0;
    __VERIFIER_atomic_begin();
    seen = depth;
    depth = -seen;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    left = stock;
    stock = 2 * left - left;
    __VERIFIER_atomic_end();
    return arg;
}

static void *take(void *arg)
{
    int got, bought;
    __VERIFIER_atomic_begin();
    got = depth;
    depth = 0;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    bought = stock;
    stock = 0;
    __VERIFIER_atomic_end();
    assert(bought >= 0); // SAFE
    assert(got >= 0); // UNSAFE!
    return arg;
}

int main(void)
{
    pthread_t diver, turner, taker;
    pthread_create(&diver, NULL, dive, NULL);
    pthread_create(&turner, NULL, turn, NULL);
    pthread_create(&taker, NULL, take, NULL);
    pthread_join(diver, NULL);
    pthread_join(turner, NULL);
    pthread_join(taker, NULL);
    assert(stock >= 0); // SAFE
    assert(depth >= 0); // UNSAFE!
    return 0;
}
