// ARGS: --properties assertion,data-race
// A binary semaphore as a lock, taken with all of its functions; who is inside keeps two counts equal.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t gate;
static int pages, printed; // SAFE
static int user; // SAFE

static void print(int me) {
    assert(user == 0); // SAFE
    user = me;
    pages++;
    assert(pages == printed + 1); // SAFE
    assert(sem_trywait(&gate) == -1); // SAFE
    printed++;
    assert(user == me); // SAFE
    user = 0;
}

static void *patient(void *unused) {
    sem_wait(&gate);
    print(1);
    sem_post(&gate);
    return 0;
}

static void *hasty(void *unused) {
    struct timespec soon = {0, 0};
    if (sem_trywait(&gate) == 0 || sem_timedwait(&gate, &soon) == 0) {
        print(2);
        __goblint_check(pages == 2); // UNSAFE!
        sem_post(&gate);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    int count;
    sem_init(&gate, 0, 1);
    pthread_create(&a, 0, patient, 0);
    pthread_create(&b, 0, hasty, 0);
    sem_getvalue(&gate, &count);
    assert(count == 0 || count == 1); // SAFE
    sem_wait(&gate);
    assert(pages == printed && user == 0); // SAFE
    assert(pages <= 2); // SAFE
    sem_post(&gate);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(printed >= 1 && printed <= 2); // SAFE
    __goblint_check(printed == 2); // UNSAFE!
    return 0;
}
