// A recursive mutex made with attributes: its holder may take it again, others wait for the last release.
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>

pthread_mutex_t again;
int balance;

static void add(int amount) {
    pthread_mutex_lock(&again);
    balance = balance + amount;
    pthread_mutex_unlock(&again);
}

void *worker(void *unused) {
    pthread_mutex_lock(&again);
    balance = 0;
    add(3);
    assert(balance == 3); // SAFE
    add(-3);
    assert(balance == 0); // SAFE
    pthread_mutex_unlock(&again);
    __goblint_check(balance == 0); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&again, &kind);
    pthread_mutexattr_destroy(&kind);
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    return 0;
}
