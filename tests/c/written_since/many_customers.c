// ARGS: --properties assertion
// Each of many customers takes at most so much: what is left is bounded by how many there are, and known if each takes it.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
#define CUSTOMERS 12
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stock = 1000, sold, balance = 1000, withdrawn;

static void *customer(void *unused) {
    int want = __VERIFIER_nondet_uint() % 50;
    pthread_mutex_lock(&lock);
    if (want > stock)
        want = stock;
    stock -= want;
    sold += want;
    assert(stock + sold == 1000); // SAFE
    assert(sold <= 588); // SAFE
    __goblint_check(sold < 588); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *client(void *unused) {
    pthread_mutex_lock(&lock);
    if (balance >= 50) {
        balance -= 50;
        withdrawn += 50;
    }
    assert(balance >= 400); // SAFE
    __goblint_check(balance >= 450); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t[CUSTOMERS];
    for (int i = 0; i < CUSTOMERS; i++) {
        pthread_t c;
        pthread_create(&c, 0, customer, 0);
        pthread_detach(c);
    }
    pthread_mutex_lock(&lock);
    assert(sold >= 0 && sold <= 600); // SAFE
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < CUSTOMERS; i++)
        pthread_create(&t[i], 0, client, 0);
    for (int i = 0; i < CUSTOMERS; i++)
        pthread_join(t[i], 0);
    assert(withdrawn <= 600); // SAFE
    assert(balance + withdrawn == 1000); // SAFE
    assert(balance == 400); // SAFE
    __goblint_check(balance > 400); // UNSAFE!
    return 0;
}
