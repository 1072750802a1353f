// Statistics under a spin lock of compare and exchange: number, sum, and the largest so far.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int locked;
static int n, sum, largest, owner;

static void lock(int who) {
    int expected = 0;
    while (!atomic_compare_exchange_weak(&locked, &expected, 1))
        expected = 0;
    assert(owner == 0); // SAFE
    owner = who;
}

static void unlock(int who) {
    assert(owner == who); // SAFE
    owner = 0;
    atomic_store(&locked, 0);
}

static void *add(void *arg) {
    int who = (int)(long)arg;
    for (int i = 1; i <= 3; i++) {
        int v = who * 10 + i;
        lock(who);
        n++;
        sum += v;
        if (v > largest)
            largest = v;
        assert(largest >= v); // SAFE
        assert(n >= i); // SAFE
        assert(sum >= 11 * n); // SAFE
        assert(sum <= 23 * n); // SAFE
        assert(locked == 1); // SAFE
        unlock(who);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, (void *)1);
    pthread_create(&b, 0, add, (void *)2);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(n == 6); // SAFE
    assert(sum == 102); // SAFE
    assert(largest == 23); // SAFE
    assert(owner == 0); // SAFE
    assert(largest == 13); // UNSAFE!
    return 0;
}
