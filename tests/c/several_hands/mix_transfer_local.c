// ARGS: --properties assertion,data-race,overflow
// Bank transfers with the amount in a local: balances stay non-negative, their sum stays.
#include <assert.h>
#include <pthread.h>

int checking = 500, savings = 500;
pthread_mutex_t bank = PTHREAD_MUTEX_INITIALIZER;
extern unsigned __VERIFIER_nondet_uint(void);

void move(int *from, int *to, int amount) {
    pthread_mutex_lock(&bank);
    if (*from >= amount) {
        *from -= amount;
        *to += amount;
    }
    pthread_mutex_unlock(&bank);
}

void *saver(void *arg) {
    int amount = __VERIFIER_nondet_uint() % 100;
    move(&checking, &savings, amount);
    return 0;
}

void *spender(void *arg) {
    int amount = __VERIFIER_nondet_uint() % 300;
    move(&savings, &checking, amount);
    pthread_mutex_lock(&bank);
    int before = checking;
    if (amount <= before) {
        checking -= amount;
        assert(checking >= 0); // SAFE
        assert(before - checking == amount); // SAFE
        checking += amount;
    }
    assert(checking == before); // SAFE
    pthread_mutex_unlock(&bank);
    return 0;
}

int main() {
    pthread_t t1, t2, t3;
    pthread_create(&t1, 0, saver, 0);
    pthread_create(&t2, 0, spender, 0);
    pthread_create(&t3, 0, saver, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    pthread_join(t3, 0);
    assert(checking + savings == 1000); // SAFE
    assert(checking >= 0 && savings >= 0); // SAFE
    assert(savings <= 1000); // SAFE
    assert(savings >= 500); // UNSAFE!
}
