// Money moves between two accounts, each with its lock, taken in one order; no account is overdrawn.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock_a = PTHREAD_MUTEX_INITIALIZER, lock_b = PTHREAD_MUTEX_INITIALIZER;
static int balance_a = 100, balance_b = 100;
static int fee_balance;

static void *to_b(void *unused) {
    for (int i = 0; i < 3; i++) {
        int amount = __VERIFIER_nondet_int();
        if (amount < 1 || amount > 50) continue;
        pthread_mutex_lock(&lock_a);
        pthread_mutex_lock(&lock_b);
        if (balance_a >= amount) {
            balance_a -= amount;
            balance_b += amount;
        }
        assert(balance_a >= 0); // SAFE (needs octagon)
        assert(amount <= 50); // SAFE
        pthread_mutex_unlock(&lock_b);
        pthread_mutex_unlock(&lock_a);
        if (fee_balance < 10) fee_balance++;
        assert(fee_balance <= 10); // UNSAFE!
    }
    return 0;
}

static void *to_a(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock_a);
        pthread_mutex_lock(&lock_b);
        if (balance_b >= 10) {
            balance_b -= 10;
            balance_a += 10;
        }
        assert(balance_b >= 0); // SAFE
        pthread_mutex_unlock(&lock_b);
        pthread_mutex_unlock(&lock_a);
        if (fee_balance < 10) fee_balance++;
    }
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    fee_balance = 8;
    pthread_create(&a, 0, to_b, 0);
    pthread_create(&b, 0, to_a, 0);
    pthread_create(&c, 0, to_a, 0);
    pthread_mutex_lock(&lock_a);
    pthread_mutex_lock(&lock_b);
    assert(balance_a + balance_b == 200); // SAFE (needs octagon)
    pthread_mutex_unlock(&lock_b);
    pthread_mutex_unlock(&lock_a);
    assert(balance_a + balance_b == 200); // UNSAFE!
    return 0;
}
