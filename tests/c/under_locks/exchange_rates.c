// Buying and selling rates are changed together; the selling rate is higher by a margin that a thread itself chooses
// from a range. The pair that a customer has copied is such a pair.
#include <assert.h>
#include <threads.h>

extern int __VERIFIER_nondet_int(void);
static mtx_t board;
static int buying = 100, selling = 102;

static int bank(void *unused) {
    int rate = __VERIFIER_nondet_int(), margin = __VERIFIER_nondet_int();
    if (rate < 50 || rate > 200 || margin < 1 || margin > 9)
        return 1;
    mtx_lock(&board);
    buying = rate;
    selling = rate + margin;
    assert(selling > buying); // SAFE
    mtx_unlock(&board);
    return 0;
}

static int customer(void *unused) {
    mtx_lock(&board);
    int low = buying;
    int high = selling;
    mtx_unlock(&board);
    int loss = high - low;
    assert(loss > 0); // SAFE
    assert(loss <= 9); // SAFE
    assert(high <= 209); // SAFE
    mtx_lock(&board);
    low = buying;
    mtx_unlock(&board);
    __goblint_check(high > low); // UNSAFE!
    return 0;
}

int main(void) {
    thrd_t one, two;
    mtx_init(&board, mtx_plain);
    thrd_create(&one, bank, 0);
    thrd_create(&two, customer, 0);
    thrd_join(one, 0);
    thrd_join(two, 0);
    return 0;
}
