// ARGS: --properties assertion,array-bounds
// Money that moves between accounts, by their numbers, under one lock: none is overdrawn, and all have what they had
// together at first.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define ACCOUNTS 3
#define START 10
#define CLERKS 2

static int balance[ACCOUNTS] = {START, START, START};
static int moved, denied;
static pthread_mutex_t bank = PTHREAD_MUTEX_INITIALIZER;

static int total(void) {
    int sum = 0;
    for (int i = 0; i < ACCOUNTS; i++)
        sum += balance[i]; // SAFE
    return sum;
}

static int move(int from, int to, int amount) {
    if (from < 0 || from >= ACCOUNTS || to < 0 || to >= ACCOUNTS || amount <= 0)
        return -1;
    pthread_mutex_lock(&bank);
    assert(balance[from] >= 0); // UNKNOWN (its pack has no room for all of the elements)
    if (balance[from] < amount) { // SAFE
        denied++;
        pthread_mutex_unlock(&bank);
        return -1;
    }
    balance[from] -= amount; // SAFE
    assert(balance[from] >= 0); // UNKNOWN (its pack has no room for all of the elements)
    balance[to] += amount; // SAFE
    assert(balance[to] >= amount); // UNKNOWN (its pack has no room for all of the elements)
    moved += amount;
    assert(total() == ACCOUNTS * START); // SAFE
    pthread_mutex_unlock(&bank);
    return 0;
}

static void *clerk(void *arg) {
    for (int i = 0; i < 4; i++) {
        int from = rand() % ACCOUNTS, to = rand() % ACCOUNTS, amount = rand() % 8;
        if (from != to)
            move(from, to, amount);
    }
    return arg;
}

static void *auditor(void *arg) {
    pthread_mutex_lock(&bank);
    assert(balance[0] + balance[1] + balance[2] == 30); // SAFE
    for (int i = 0; i < ACCOUNTS; i++) {
        assert(balance[i] >= 0); // UNKNOWN (its pack has no room for all of the elements)
        assert(balance[i] <= ACCOUNTS * START); // UNKNOWN (its pack has no room for all of the elements)
    }
    assert(moved >= 0); // SAFE
    assert(moved == 0); // UNSAFE!
    pthread_mutex_unlock(&bank);
    return arg;
}

int main(void) {
    pthread_t c[CLERKS], a;
    for (int i = 0; i < CLERKS; i++)
        pthread_create(&c[i], NULL, clerk, NULL);
    pthread_create(&a, NULL, auditor, NULL);
    for (int i = 0; i < CLERKS; i++)
        pthread_join(c[i], NULL);
    pthread_join(a, NULL);
    assert(total() == ACCOUNTS * START); // SAFE
    assert(denied >= 0); // SAFE
    assert(denied <= 8); // SAFE
    return 0;
}
