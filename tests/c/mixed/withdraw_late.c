// As withdraw_local.c, but the lock is given up between the test and the subtraction.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int balance = 100;

void *customer(void *unused) {
    int amount = __VERIFIER_nondet_int();
    if (amount <= 0 || amount > 1000)
        return 0;
    pthread_mutex_lock(&lock);
    int is_enough = amount <= balance;
    pthread_mutex_unlock(&lock);
    if (is_enough) {
        pthread_mutex_lock(&lock);
        balance -= amount;
        assert(balance >= 0); // UNSAFE!
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, 0, customer, 0);
    return 0;
}
