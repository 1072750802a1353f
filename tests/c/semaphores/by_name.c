// A semaphore that is opened by name at one place is like any other; it is assumed that nobody else uses it.
#include <pthread.h>
#include <semaphore.h>
#include <fcntl.h>
#include <assert.h>

static sem_t *permit;
static int guarded;

static void *worker(void *unused) {
    assert(guarded == 0); // UNSAFE!
    sem_wait(permit);
    guarded = 1;
    assert(guarded == 1); // SAFE
    guarded = 0;
    sem_post(permit);
    return 0;
}

int main(void) {
    pthread_t a, b;
    sem_unlink("/duet-test-permit");
    permit = sem_open("/duet-test-permit", O_CREAT | O_EXCL, 0600, 1);
    if (permit == SEM_FAILED) return 1;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(guarded == 0); // SAFE (needs refinement)
    sem_close(permit);
    sem_unlink("/duet-test-permit");
    return 0;
}
