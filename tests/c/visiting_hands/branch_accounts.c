// ARGS: --properties assertion,array-bounds
// Accounts with locks of their own, taken in the order of their numbers; the bank's total never changes.
#include <assert.h>
#include <pthread.h>

#define ACCOUNTS 4
#define OPENING 100

struct account {
    pthread_mutex_t lock;
    int balance;
    int moves;
};

static struct account accounts[ACCOUNTS];
static pthread_mutex_t audit_lock = PTHREAD_MUTEX_INITIALIZER;
static int transfers;

static int transfer(int from, int to, int amount) {
    int first = from < to ? from : to;
    int second = from < to ? to : from;
    int done = 0;
    if (from == to)
        return 0;
    assert(first < second); // SAFE
    pthread_mutex_lock(&accounts[first].lock); // SAFE
    pthread_mutex_lock(&accounts[second].lock); // SAFE
    if (accounts[from].balance >= amount) { // SAFE
        accounts[from].balance -= amount; // SAFE
        accounts[to].balance += amount; // SAFE
        accounts[from].moves++; // SAFE
        accounts[to].moves++; // SAFE
        assert(accounts[from].balance >= 0); // SAFE
        done = 1;
    }
    pthread_mutex_unlock(&accounts[second].lock);
    pthread_mutex_unlock(&accounts[first].lock);
    if (done) {
        pthread_mutex_lock(&audit_lock);
        transfers++;
        assert(transfers > 0); // SAFE
        pthread_mutex_unlock(&audit_lock);
    }
    return done;
}

static void *teller(void *arg) {
    int self = (int)(long)arg;
    int done = 0;
    for (int i = 0; i < 3; i++)
        done += transfer(self, (self + i + 1) % ACCOUNTS, 40);
    assert(done <= 3); // SAFE
    return 0;
}

int main(void) {
    pthread_t t[2];
    int total = 0;
    for (int i = 0; i < ACCOUNTS; i++) {
        pthread_mutex_init(&accounts[i].lock, 0);
        accounts[i].balance = OPENING;
        accounts[i].moves = 0;
    }
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, teller, (void *)(long)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    for (int i = 0; i < ACCOUNTS; i++) {
        assert(accounts[i].balance >= 0); // SAFE
        total += accounts[i].balance; // SAFE
    }
    assert(total == ACCOUNTS * OPENING); // SAFE
    assert(transfers <= 6); // SAFE
    assert(transfers < 6); // UNSAFE!
    return 0;
}
