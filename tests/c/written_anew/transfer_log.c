// ARGS: --properties assertion,overflow
// Transfers between two accounts with a lock each, taken in one order; fees go to a third account.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct account { pthread_mutex_t lock; int balance; };
static struct account current = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account saving = {PTHREAD_MUTEX_INITIALIZER, 50};
static int fees, transfers;

static int transfer(int amount) {
    int done = 0;
    pthread_mutex_lock(&current.lock);
    pthread_mutex_lock(&saving.lock);
    if (amount + 1 <= current.balance) {
        current.balance -= amount + 1; // SAFE
        saving.balance += amount; // SAFE
        fees++; // SAFE
        transfers++; // SAFE
        done = 1;
        assert(current.balance >= 0); // SAFE
        assert(saving.balance >= 50); // SAFE
    }
    assert(current.balance + saving.balance + fees == 150); // SAFE
    assert(fees == transfers); // SAFE
    pthread_mutex_unlock(&saving.lock);
    pthread_mutex_unlock(&current.lock);
    return done;
}

static void *customer(void *unused) {
    int mine = 0;
    for (int i = 0; i < 3; i++)
        mine += transfer(10 + rand() % 30); // SAFE
    assert(mine <= 3); // SAFE
    pthread_mutex_lock(&saving.lock);
    assert(transfers >= mine); // SAFE
    __goblint_check(transfers == mine); // UNSAFE!
    pthread_mutex_unlock(&saving.lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, customer, 0);
    pthread_create(&b, 0, customer, 0);
    pthread_mutex_lock(&current.lock);
    assert(current.balance >= 0 && current.balance <= 100); // SAFE
    pthread_mutex_unlock(&current.lock);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(current.balance + saving.balance + fees == 150); // SAFE
    assert(fees <= 6); // SAFE
    __goblint_check(fees == 6); // UNSAFE!
    return 0;
}
