// A semaphore of one as a gate: who has passed is alone until it posts.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t gate;
static int inside, entries, exits;

static void *visitor(void *unused) {
    sem_wait(&gate);
    inside++;
    entries++;
    assert(inside == 1); // SAFE
    assert(entries == exits + 1); // SAFE
    exits++;
    inside--;
    sem_post(&gate);
    return 0;
}

int main(void) {
    pthread_t t[3];
    sem_init(&gate, 0, 1);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, visitor, 0);
    sem_wait(&gate);
    assert(inside == 0); // SAFE
    assert(entries == exits); // SAFE
    sem_post(&gate);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(inside == 0); // SAFE
    return 0;
}
