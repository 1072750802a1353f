// Tokens are granted by a timer and spent by senders: those in the bucket are what was granted without what was spent.
// Senders never spend more than there are, so that what is spent stays within what was granted.
#include <assert.h>
#include <threads.h>

extern unsigned __VERIFIER_nondet_uint(void);

typedef struct {
    mtx_t guard;
    int tokens;
    int granted;
    int spent;
} bucket;

bucket rate;

int refill(void *unused) {
    for (int tick = 0; tick < 4; tick++) {
        mtx_lock(&rate.guard);
        rate.granted += 10;
        rate.tokens += 10;
        mtx_unlock(&rate.guard);
    }
    return 0;
}

int sender(void *unused) {
    int cost = __VERIFIER_nondet_uint() % 16;
    mtx_lock(&rate.guard);
    if (rate.tokens >= cost) {
        rate.tokens -= cost;
        rate.spent += cost;
    }
    assert(rate.tokens + rate.spent == rate.granted); // SAFE
    assert(rate.spent <= rate.granted); // SAFE
    mtx_unlock(&rate.guard);
    return 0;
}

int main(void) {
    thrd_t timer, senders[2];
    mtx_init(&rate.guard, mtx_plain);
    thrd_create(&timer, refill, 0);
    thrd_create(&senders[0], sender, 0);
    thrd_create(&senders[1], sender, 0);
    thrd_join(senders[0], 0);
    mtx_lock(&rate.guard);
    int unspent = rate.granted - rate.spent;
    mtx_unlock(&rate.guard);
    assert(unspent >= 0); // SAFE
    thrd_join(timer, 0);
    return 0;
}
