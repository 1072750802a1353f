// What was known under a lock is gone once it has been released and taken again.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int budget;

void *spender(void *unused) {
    pthread_mutex_lock(&lock);
    budget = 10;
    assert(budget == 10); // SAFE
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    assert(budget == 10); // UNSAFE!
    assert(budget >= 0); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

void *thief(void *unused) {
    pthread_mutex_lock(&lock);
    budget = 0;
    assert(budget == 0); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, spender, 0);
    pthread_create(&b, 0, thief, 0);
    return 0;
}
