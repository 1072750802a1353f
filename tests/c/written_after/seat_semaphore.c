// Connections bounded by a semaphore; whoever finds none free at once is turned away; counts under a mutex.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define SEATS 2
static sem_t seats;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int connected, served, turned_away, most;

static void *client(void *unused) {
    if (sem_trywait(&seats) != 0) {
        pthread_mutex_lock(&lock);
        turned_away++;
        assert(turned_away >= 1); // SAFE
        pthread_mutex_unlock(&lock);
        return 0;
    }
    pthread_mutex_lock(&lock);
    connected++;
    assert(connected >= 1); // SAFE
    assert(connected <= SEATS); // SAFE
    if (connected > most)
        most = connected;
    assert(most >= connected); // SAFE
    assert(most <= SEATS); // SAFE
    pthread_mutex_unlock(&lock);
    __goblint_check(connected == 1); // UNSAFE!
    pthread_mutex_lock(&lock);
    assert(connected > 0); // SAFE
    connected--;
    served++;
    pthread_mutex_unlock(&lock);
    sem_post(&seats);
    return &served;
}

int main(void) {
    pthread_t t[4];
    int ok = 0;
    sem_init(&seats, 0, SEATS);
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], 0, client, 0);
    for (int i = 0; i < 4; i++) {
        void *result;
        pthread_join(t[i], &result);
        if (result)
            ok++;
    }
    assert(connected == 0); // SAFE
    assert(served + turned_away == 4); // SAFE
    assert(most >= 0 && most <= SEATS); // SAFE
    assert(ok == served); // UNKNOWN (how many threads gave a result)
    assert(served >= SEATS); // UNKNOWN (how many find something that is free)
    __goblint_check(turned_away == 0); // UNSAFE!
    int left;
    sem_getvalue(&seats, &left);
    assert(left == SEATS); // SAFE
    return 0;
}
