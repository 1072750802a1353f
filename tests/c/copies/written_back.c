// Taking one out through a copy: the amount never falls below zero.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int amount = 5;

void *taker(void *unused) {
    int have;
    pthread_mutex_lock(&lock);
    have = amount;
    have = have - 1;
    if (have >= 0)
        amount = have;
    assert(amount >= 0); // SAFE
    assert(amount > 0); // SAFE
    pthread_mutex_unlock(&lock);
    have = amount;
    assert(have <= 5); // SAFE
    assert(have == 4); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, taker, 0);
    pthread_create(&b, 0, taker, 0);
    return 0;
}
