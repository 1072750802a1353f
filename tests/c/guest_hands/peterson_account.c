// Peterson's algorithm around an account of two people.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int balance = 10, inside, deposits, withdrawals;

static void *depositor(void *unused) {
    for (int i = 0; i < 3; i++) {
        wants[0] = 1;
        turn = 1;
        while (wants[1] && turn == 1)
            ;
        inside++;
        assert(inside == 1); // SAFE
        balance += 2;
        deposits++;
        assert(balance == 10 + 2 * deposits - withdrawals); // SAFE
        inside--;
        wants[0] = 0;
    }
    return unused;
}

static void *withdrawer(void *unused) {
    for (int i = 0; i < 4; i++) {
        wants[1] = 1;
        turn = 0;
        while (wants[0] && turn == 0)
            ;
        inside++;
        assert(inside == 1); // SAFE
        balance--;
        withdrawals++;
        assert(balance >= 6); // SAFE
        assert(withdrawals == i + 1); // SAFE
        inside--;
        wants[1] = 0;
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, depositor, 0);
    pthread_create(&b, 0, withdrawer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(inside == 0); // SAFE
    assert(deposits == 3); // SAFE
    assert(balance == 12); // SAFE
    assert(!wants[0] && !wants[1]); // SAFE
    assert(turn == 0); // UNSAFE!
    return 0;
}
