// A bank whose accounts have locks of their own: transfers take both, the lower number first.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define ACCOUNTS 3
#define START 100
struct account {
    pthread_mutex_t lock;
    int balance, moves;
};
static struct account accounts[ACCOUNTS];
static pthread_mutex_t audit = PTHREAD_MUTEX_INITIALIZER;
static int moved, refused;

static bool transfer(int from, int to, int amount) {
    if (from == to || amount <= 0)
        return false;
    int first = from < to ? from : to;
    int second = from < to ? to : from;
    assert(first < second); // UNKNOWN (numbers that are unequal)
    pthread_mutex_lock(&accounts[first].lock);
    pthread_mutex_lock(&accounts[second].lock);
    bool is_covered = accounts[from].balance >= amount;
    if (is_covered) {
        int sum = accounts[from].balance + accounts[to].balance;
        accounts[from].balance -= amount;
        accounts[to].balance += amount;
        accounts[from].moves++;
        accounts[to].moves++;
        assert(accounts[from].balance >= 0); // UNKNOWN (objects whose locks are held, by index)
        assert(accounts[to].balance >= amount); // UNKNOWN (objects whose locks are held, by index)
        assert(accounts[from].balance + accounts[to].balance == sum); // UNKNOWN (objects with held locks, by index)
    }
    assert(accounts[to].balance >= 0); // UNKNOWN (objects whose locks are held, by index)
    pthread_mutex_unlock(&accounts[second].lock);
    pthread_mutex_unlock(&accounts[first].lock);
    pthread_mutex_lock(&audit);
    if (is_covered)
        moved++;
    else
        refused++;
    pthread_mutex_unlock(&audit);
    return is_covered;
}

static void *customer(void *unused) {
    int own = 0;
    for (int i = 0; i < 2; i++) {
        int from = rand() % ACCOUNTS, to = rand() % ACCOUNTS;
        if (transfer(from, to, 1 + rand() % 80))
            own++;
    }
    pthread_mutex_lock(&audit);
    assert(own <= 2); // SAFE
    assert(moved >= own); // SAFE
    __goblint_check(refused == 0); // UNSAFE!
    pthread_mutex_unlock(&audit);
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < ACCOUNTS; i++) {
        pthread_mutex_init(&accounts[i].lock, 0);
        accounts[i].balance = START;
    }
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, customer, 0);
    pthread_mutex_lock(&accounts[0].lock);
    int seen = accounts[0].balance;
    assert(seen >= 0); // UNKNOWN (objects whose locks are held, by index)
    __goblint_check(seen == START); // UNSAFE!
    pthread_mutex_unlock(&accounts[0].lock);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    int total = 0, moves = 0;
    for (int i = 0; i < ACCOUNTS; i++) {
        total += accounts[i].balance;
        moves += accounts[i].moves;
    }
    assert(total == ACCOUNTS * START); // UNKNOWN (what all objects have together)
    assert(moves == 2 * moved); // UNKNOWN (what all objects have together)
    assert(moved + refused <= 4); // SAFE
    return 0;
}
