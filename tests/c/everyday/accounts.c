// Transfers between accounts, each with its lock; locks are taken in the order of the accounts.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
struct account { pthread_mutex_t lock; int balance; };
static struct account savings = {PTHREAD_MUTEX_INITIALIZER, 100}, current = {PTHREAD_MUTEX_INITIALIZER, 50};

static int transfer(struct account *from, struct account *to, int amount) {
    int done = 0;
    pthread_mutex_lock(&savings.lock);
    pthread_mutex_lock(&current.lock);
    if (amount > 0 && from->balance >= amount) {
        from->balance -= amount;
        to->balance += amount;
        done = 1;
    }
    assert(savings.balance + current.balance == 150); // SAFE
    assert(from->balance >= 0); // SAFE
    pthread_mutex_unlock(&current.lock);
    pthread_mutex_unlock(&savings.lock);
    return done;
}

static void *saver(void *unused) {
    transfer(&current, &savings, __VERIFIER_nondet_int());
    return 0;
}

static void *spender(void *unused) {
    int amount = __VERIFIER_nondet_int();
    if (transfer(&savings, &current, amount))
        assert(amount <= 150); // SAFE
    pthread_mutex_lock(&savings.lock);
    __goblint_check(savings.balance <= 100); // UNSAFE!
    pthread_mutex_unlock(&savings.lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, saver, 0);
    pthread_create(&b, 0, spender, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(savings.balance + current.balance == 150); // SAFE
    assert(savings.balance >= 0 && current.balance <= 150); // SAFE
    return 0;
}
