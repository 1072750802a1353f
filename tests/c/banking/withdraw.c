// ARGS: --properties assertion,overflow --parameterized --entries deposit,withdraw_checked,withdraw_racy
// Withdrawals that test under the lock, and one that tests before it.
#include <pthread.h>
#include <assert.h>

#define LIMIT 1000
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int saving = 50, spending = 50;

void deposit(void) {
    pthread_mutex_lock(&lock);
    if (saving <= LIMIT - 10)
        saving += 10; // SAFE
    if (spending <= LIMIT - 10) spending += 10;
    assert(saving <= LIMIT); // SAFE
    pthread_mutex_unlock(&lock);
}

void withdraw_checked(void) {
    pthread_mutex_lock(&lock);
    if (saving >= 20)
        saving -= 20; // SAFE
    assert(saving >= 0); // SAFE
    pthread_mutex_unlock(&lock);
}

void withdraw_racy(void) {
    if (spending >= 20) {
        pthread_mutex_lock(&lock);
        spending -= 20;
        assert(spending >= 0); // UNSAFE!
        pthread_mutex_unlock(&lock);
    }
}
