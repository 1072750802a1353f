// Two printers behind a semaphore; which of them one has is written down under a lock.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t printers;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int taken[2];
static int printing;
static int pages[2];

static void *print(void *arg) {
    int mine = -1;
    sem_wait(&printers);
    pthread_mutex_lock(&m);
    printing++;
    assert(printing <= 2); // SAFE
    if (!taken[0])
        mine = 0;
    else if (!taken[1])
        mine = 1;
    // Of two printers one is free for who has a token.
    assert(mine >= 0); // UNKNOWN (tokens and the elements they are for)
    taken[mine] = 1;
    pthread_mutex_unlock(&m);

    pages[mine]++; // nobody else has this one
    assert(taken[mine]); // UNKNOWN (tokens and the elements they are for)
    assert(printing == 1); // UNSAFE!

    pthread_mutex_lock(&m);
    printing--;
    taken[mine] = 0;
    assert(printing >= 0 && printing <= 1); // SAFE
    pthread_mutex_unlock(&m);
    sem_post(&printers);
    return arg;
}

int main(void) {
    pthread_t t[4];
    sem_init(&printers, 0, 2);
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], 0, print, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    assert(printing == 0); // SAFE
    assert(!taken[0] && !taken[1]); // SAFE
    return 0;
}
