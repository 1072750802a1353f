// Transfers between accounts, each with a lock of its own; both are taken, the lower number first.
#include <assert.h>
#include <pthread.h>

#define ACCOUNTS 3

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account bank[ACCOUNTS];

static int transfer(int from, int to, int amount) {
    int first = from < to ? from : to;
    int second = from < to ? to : from;
    int done = 0;
    assert(first < second); // SAFE
    pthread_mutex_lock(&bank[first].lock);
    pthread_mutex_lock(&bank[second].lock);
    if (bank[from].balance >= amount) {
        bank[from].balance -= amount;
        bank[to].balance += amount;
        done = 1;
        assert(bank[to].balance >= amount); // SAFE
    }
    assert(bank[from].balance >= 0); // SAFE
    assert(done || bank[from].balance < amount); // SAFE
    pthread_mutex_unlock(&bank[second].lock);
    pthread_mutex_unlock(&bank[first].lock);
    return done;
}

static void *east(void *unused) {
    transfer(0, 1, 30);
    transfer(1, 2, 20);
    return unused;
}

static void *west(void *unused) {
    transfer(2, 0, 50);
    return unused;
}

static void *audit(void *unused) {
    int sum = 0;
    for (int i = 0; i < ACCOUNTS; i++)
        pthread_mutex_lock(&bank[i].lock);
    sum = bank[0].balance + bank[1].balance + bank[2].balance;
    assert(sum == 300); // SAFE
    assert(bank[1].balance <= 300); // SAFE
    for (int i = ACCOUNTS - 1; i >= 0; i--)
        pthread_mutex_unlock(&bank[i].lock);
    return unused;
}

int main(void) {
    pthread_t e, w, a;
    for (int i = 0; i < ACCOUNTS; i++) {
        pthread_mutex_init(&bank[i].lock, 0);
        bank[i].balance = 100;
    }
    pthread_create(&e, 0, east, 0);
    pthread_create(&w, 0, west, 0);
    pthread_create(&a, 0, audit, 0);
    pthread_join(e, 0);
    pthread_join(w, 0);
    pthread_join(a, 0);
    assert(bank[0].balance + bank[1].balance + bank[2].balance == 300); // SAFE
    assert(bank[0].balance == 120); // SAFE (everything goes through: each account has enough)
    assert(bank[2].balance == 100); // UNSAFE!
    return 0;
}
