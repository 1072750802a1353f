// A few accounts under one lock, of which a client knows the number only.
#include <assert.h>
#include <pthread.h>
#define ACCOUNTS 4
struct account { int available, blocked; };
static struct account acc[ACCOUNTS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned __VERIFIER_nondet_uint(void);
static void *worker(void *unused) {
    int i = __VERIFIER_nondet_uint() % ACCOUNTS;
    pthread_mutex_lock(&lock);
    assert(acc[i].available + acc[i].blocked == 100); // SAFE
    if (acc[i].available >= 10) {
        acc[i].available -= 10;
        acc[i].blocked += 10;
    }
    assert(acc[i].available >= 0); // SAFE
    assert(acc[i].available + acc[i].blocked == 100); // SAFE
    __goblint_check(acc[i].blocked <= 20); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void) {
    pthread_t t[3];
    for (int i = 0; i < ACCOUNTS; i++) { acc[i].available = 100; acc[i].blocked = 0; }
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    for (int i = 0; i < ACCOUNTS; i++)
        assert(acc[i].available + acc[i].blocked == 100); // SAFE
    return 0;
}
