// ARGS: --properties assertion,array-bounds,data-race
// Accounts in an array, one lock for the bank: transfers keep what all have together.
#include <assert.h>
#include <pthread.h>

#define ACCOUNTS 4
static int account[ACCOUNTS] = {100, 100, 100, 100};
static pthread_mutex_t bank = PTHREAD_MUTEX_INITIALIZER;
extern unsigned __VERIFIER_nondet_uint(void);

static int total(void) {
    int s = 0;
    for (int i = 0; i < ACCOUNTS; i++)
        s += account[i]; // SAFE
    return s;
}

static void *clerk(void *arg) {
    for (int k = 0; k < 3; k++) {
        unsigned from = __VERIFIER_nondet_uint() % ACCOUNTS, to = __VERIFIER_nondet_uint() % ACCOUNTS;
        int amount = __VERIFIER_nondet_uint() % 50;
        pthread_mutex_lock(&bank);
        if (from != to && account[from] >= amount) {
            account[from] -= amount; // SAFE
            account[to] += amount; // SAFE
        }
        assert(account[from] >= 0); // SAFE
        pthread_mutex_unlock(&bank);
    }
    return 0;
}

static void *auditor(void *arg) {
    pthread_mutex_lock(&bank);
    assert(total() == 400); // SAFE
    assert(account[0] >= 0); // SAFE
    assert(account[0] <= 400); // SAFE
    pthread_mutex_unlock(&bank);
    return 0;
}

int main(void) {
    pthread_t c1, c2, a;
    pthread_create(&c1, 0, clerk, 0);
    pthread_create(&c2, 0, clerk, 0);
    pthread_create(&a, 0, auditor, 0);
    pthread_join(c1, 0);
    pthread_join(c2, 0);
    pthread_join(a, 0);
    assert(total() == 400); // SAFE
    assert(account[3] >= 0); // SAFE
    return 0;
}
