// Three desks for any number of visitors: who has a token sits at one, and gets up before it gives the token back.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);
#define DESKS 3
static sem_t tokens;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int occupied;

static void *visitor(void *unused) {
    sem_wait(&tokens);
    pthread_mutex_lock(&lock);
    occupied++;
    assert(occupied <= DESKS); // SAFE
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    assert(occupied > 0); // SAFE
    occupied--;
    assert(occupied < DESKS); // SAFE
    pthread_mutex_unlock(&lock);
    sem_post(&tokens);
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&tokens, 0, DESKS);
    while (__VERIFIER_nondet_bool())
        pthread_create(&t, 0, visitor, 0);
    pthread_mutex_lock(&lock);
    assert(occupied >= 0 && occupied <= DESKS); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}
