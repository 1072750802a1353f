// Two accounts are locked in the order of their numbers, and looked at by the names that a transfer has for them.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define ACCOUNTS 20

static struct account {
    pthread_mutex_t lock;
    int balance;
} accounts[ACCOUNTS];

static void transfer(int from, int to, int amount) {
    if (from < to) {
        pthread_mutex_lock(&accounts[from].lock);
        pthread_mutex_lock(&accounts[to].lock);
    } else {
        pthread_mutex_lock(&accounts[to].lock);
        pthread_mutex_lock(&accounts[from].lock);
    }
    __goblint_check(accounts[from].balance >= amount); // UNSAFE!
    if (accounts[from].balance >= amount) {
        accounts[from].balance -= amount;
        accounts[to].balance += amount;
        assert(accounts[from].balance >= 0); // SAFE
    }
    pthread_mutex_unlock(&accounts[from].lock);
    pthread_mutex_unlock(&accounts[to].lock);
}

static void *client(void *unused) {
    int from = rand() % ACCOUNTS, to = rand() % ACCOUNTS;
    if (from != to)
        transfer(from, to, rand() % 120);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < ACCOUNTS; i++) {
        pthread_mutex_init(&accounts[i].lock, NULL);
        accounts[i].balance = 100;
    }
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, client, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
