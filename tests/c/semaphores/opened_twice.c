// The same name opened at two places: it is not known which count belongs to whom.
#include <pthread.h>
#include <semaphore.h>
#include <fcntl.h>
#include <assert.h>

static int guarded;

static void *worker(void *number) {
    sem_t *mine = sem_open("/duet-test-twice", O_CREAT, 0600, 1);
    if (mine == SEM_FAILED) return 0;
    sem_wait(mine);
    guarded = 1;
    assert(guarded == 1); // UNKNOWN (each thread opens the semaphore)
    guarded = 0;
    sem_post(mine);
    assert(guarded == 0); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    sem_unlink("/duet-test-twice");
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(guarded >= 0); // SAFE
    sem_unlink("/duet-test-twice");
    return 0;
}
