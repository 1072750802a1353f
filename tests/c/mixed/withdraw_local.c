// An amount of the thread's own against a shared balance: the test under the lock still holds at the subtraction.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int balance = 100;

void *customer(void *unused) {
    int amount = __VERIFIER_nondet_int();
    if (amount <= 0)
        return 0;
    pthread_mutex_lock(&lock);
    if (amount <= balance) {
        balance -= amount;
        assert(balance >= 0); // SAFE (needs octagon)
    }
    assert(balance >= 0); // SAFE (needs octagon)
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, 0, customer, 0);
    pthread_mutex_lock(&lock);
    assert(balance >= 0); // SAFE (needs octagon)
    pthread_mutex_unlock(&lock);
    return 0;
}
