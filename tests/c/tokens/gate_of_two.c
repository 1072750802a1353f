// As gate.c, but the semaphore lets two in at once.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t gate;
static int inside;

static void *visitor(void *unused) {
    sem_wait(&gate);
    __sync_fetch_and_add(&inside, 1);
    __goblint_check(inside >= 1); // SAFE
    __goblint_check(inside <= 2); // SAFE
    __goblint_check(inside == 1); // UNSAFE!
    __sync_fetch_and_sub(&inside, 1);
    sem_post(&gate);
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&gate, 0, 2);
    for (int i = 0; i < 3; i++)
        pthread_create(&t, 0, visitor, 0);
    return 0;
}
