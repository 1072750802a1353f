// Money leaves one account in one section and reaches the other in a later one. Between the two it is in transit, and
// that is counted: the three add up to what there was at first, whenever the lock is free.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t books = PTHREAD_MUTEX_INITIALIZER;
static int savings = 500, transit, current;

static void send(int amount) {
    pthread_mutex_lock(&books);
    savings -= amount;
    transit += amount;
    assert(savings + transit + current == 500); // SAFE
    pthread_mutex_unlock(&books);
}

static void receive(int amount) {
    pthread_mutex_lock(&books);
    transit = transit - amount;
    current = current + amount;
    pthread_mutex_unlock(&books);
}

static void *order(void *unused) {
    int amount = __VERIFIER_nondet_int();
    if (amount < 1 || amount > 50)
        return 0;
    send(amount);
    receive(amount);
    return 0;
}

int main(void) {
    pthread_t clerks[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&clerks[i], 0, order, 0);
    pthread_mutex_lock(&books);
    int there = savings + current;
    int away = transit;
    pthread_mutex_unlock(&books);
    assert(there + away == 500); // SAFE
    __goblint_check(there == 500); // UNSAFE!
    return 0;
}
