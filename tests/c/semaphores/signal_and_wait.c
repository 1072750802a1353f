// A semaphore hands over from one thread to another.
#include <pthread.h>
#include <semaphore.h>
#include <assert.h>
#include <stdlib.h>

sem_t ready;
int message, early;

void *sender(void *unused) {
    message = 7;
    sem_post(&ready);
    early = 1;
    return 0;
}

void *receiver(void *unused) {
    __goblint_check(message == 7); // UNSAFE!
    sem_wait(&ready);
    assert(message == 7); // SAFE (needs refinement)
    __goblint_check(early == 1); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    sem_init(&ready, 0, 0);
    if (pthread_create(&a, 0, sender, 0)) exit(1);
    if (pthread_create(&b, 0, receiver, 0)) exit(1);
    return 0;
}
