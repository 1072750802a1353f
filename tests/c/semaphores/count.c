// As a lock with one permit, and with two, which is none.
#include <pthread.h>
#include <semaphore.h>
#include <assert.h>
#include <time.h>

sem_t one, two;
struct timespec soon;
int guarded, shared;

void *worker(void *unused) {
    int count;
    sem_wait(&one);
    guarded = 1;
    assert(guarded == 1); // SAFE
    sem_getvalue(&one, &count);
    assert(count == 0); // SAFE
    guarded = 0;
    sem_post(&one);
    if (sem_trywait(&two) == 0) {
        shared = 1;
        assert(shared == 1); // UNSAFE!
        shared = 0;
        sem_post(&two);
    }
    if (sem_timedwait(&one, &soon) == 0) {
        guarded = 2;
        assert(guarded == 2); // SAFE
        guarded = 0;
        sem_post(&one);
    } else {
        assert(guarded == 0); // UNSAFE!
    }
    sem_getvalue(&two, &count);
    assert(count >= 0); // SAFE
    assert(count >= 2); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    sem_init(&one, 0, 1);
    sem_init(&two, 0, 2);
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    return 0;
}
