// Transfers between accounts in an array, with a lock for each; what is in transit is counted, too.
#include <assert.h>
#include <pthread.h>

#define ACCOUNTS 3
extern int __VERIFIER_nondet_int(void);

struct account { pthread_mutex_t lock; int balance; int movements; };
static struct account accounts[ACCOUNTS] = {
    {PTHREAD_MUTEX_INITIALIZER, 100, 0},
    {PTHREAD_MUTEX_INITIALIZER, 50, 0},
    {PTHREAD_MUTEX_INITIALIZER, 25, 0},
};

static int withdraw(int from, int amount) {
    int taken = 0;
    pthread_mutex_lock(&accounts[from].lock);
    if (accounts[from].balance >= amount) {
        accounts[from].balance -= amount;
        accounts[from].movements++;
        taken = amount;
    }
    assert(accounts[from].balance >= 0); // SAFE
    pthread_mutex_unlock(&accounts[from].lock);
    return taken;
}

static void deposit(int to, int amount) {
    pthread_mutex_lock(&accounts[to].lock);
    assert(accounts[to].balance >= 0); // SAFE
    accounts[to].balance += amount;
    accounts[to].movements++;
    pthread_mutex_unlock(&accounts[to].lock);
}

static void *mover(void *argument) {
    int amount = __VERIFIER_nondet_int();
    if (amount <= 0 || amount > 200)
        return 0;
    int taken = withdraw(0, amount);
    assert(taken == 0 || taken == amount); // SAFE
    assert(taken <= 100); // SAFE
    deposit(1, taken);
    return 0;
}

static void *spender(void *argument) {
    int taken = withdraw(1, 50);
    // 50 are there from the start, and only this thread takes any.
    assert(taken == 50); // SAFE
    deposit(2, taken);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, mover, 0);
    pthread_create(&b, 0, spender, 0);
    pthread_mutex_lock(&accounts[0].lock);
    __goblint_check(accounts[0].balance == 100); // UNSAFE!
    pthread_mutex_unlock(&accounts[0].lock);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(accounts[0].balance >= 0 && accounts[0].balance <= 100); // SAFE
    assert(accounts[0].balance + accounts[1].balance + accounts[2].balance == 175); // SAFE
    assert(accounts[2].balance == 75); // SAFE
    __goblint_check(accounts[1].balance == 0); // UNSAFE!
    return 0;
}
