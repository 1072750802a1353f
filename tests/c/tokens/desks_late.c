// As desks.c, but the token is given back before the visitor gets up: one more may sit down.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

extern _Bool __VERIFIER_nondet_bool(void);
#define DESKS 2
static sem_t tokens;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int occupied;

static void *visitor(void *unused) {
    sem_wait(&tokens);
    pthread_mutex_lock(&lock);
    occupied++;
    __goblint_check(occupied <= DESKS); // UNSAFE!
    assert(occupied > 0); // SAFE
    pthread_mutex_unlock(&lock);
    sem_post(&tokens);
    pthread_mutex_lock(&lock);
    occupied--;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&tokens, 0, DESKS);
    while (__VERIFIER_nondet_bool())
        pthread_create(&t, 0, visitor, 0);
    return 0;
}
