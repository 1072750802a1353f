// ARGS: --properties data-race
// Who accesses what through pointers: each account has a lock of its own.
#include <pthread.h>

struct account {
    pthread_mutex_t mutex;
    int balance;
};

struct account first = {PTHREAD_MUTEX_INITIALIZER, 10}; // SAFE
struct account second = {PTHREAD_MUTEX_INITIALIZER, 10};

void deposit(struct account *account, int amount) {
    pthread_mutex_lock(&account->mutex);
    account->balance = account->balance + amount; // UNSAFE!
    pthread_mutex_unlock(&account->mutex);
}

void *worker(void *arg) {
    deposit(&first, 1);
    deposit(&second, 2);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    deposit(&first, 3);
    second.balance = 0; // UNSAFE!
    pthread_join(thread, 0);
    return first.balance;
}
