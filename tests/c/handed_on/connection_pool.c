// ARGS: --properties assertion,overflow
// Connections are counted by a semaphore, and the number of those that are out is kept under a lock.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>

extern _Bool __VERIFIER_nondet_bool(void);
#define CONNECTIONS 3
static sem_t available;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int out, failed;

static bool acquire(bool patient) {
    if (patient)
        sem_wait(&available);
    else if (sem_trywait(&available) != 0)
        return false;
    pthread_mutex_lock(&lock);
    out++; // SAFE
    assert(out >= 1 && out <= CONNECTIONS); // SAFE
    pthread_mutex_unlock(&lock);
    return true;
}

static void release(void) {
    pthread_mutex_lock(&lock);
    assert(out > 0); // SAFE
    out--; // SAFE
    assert(out < CONNECTIONS); // SAFE
    pthread_mutex_unlock(&lock);
    sem_post(&available);
}

static void *client(void *unused) {
    if (acquire(__VERIFIER_nondet_bool())) {
        __goblint_check(out == 1); // UNSAFE!
        release();
    } else {
        pthread_mutex_lock(&lock);
        if (failed < 1000)
            failed++; // SAFE
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&available, 0, CONNECTIONS);
    while (__VERIFIER_nondet_bool())
        pthread_create(&t, 0, client, 0);
    int count;
    sem_getvalue(&available, &count);
    assert(count >= 0 && count <= CONNECTIONS); // SAFE
    pthread_mutex_lock(&lock);
    assert(out >= 0 && out <= CONNECTIONS); // SAFE
    __goblint_check(out == 0); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}
