// Counters that cannot fall below zero: one locked, one atomic, one read twice.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int locked, atomic;

void *client(void *unused) {
    int before;
    pthread_mutex_lock(&lock);
    locked++;
    assert(locked > 0); // SAFE
    pthread_mutex_unlock(&lock);
    before = __sync_fetch_and_add(&atomic, 1);
    assert(before >= 0); // SAFE
    assert(atomic == before + 1); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, client, 0);
    assert(atomic >= 0); // SAFE
    return 0;
}
