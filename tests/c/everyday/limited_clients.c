// A server takes at most three clients at once; others are turned away and counted.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#define LIMIT 3
static sem_t places;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int active, peak, refused, served;

static void *client(void *unused) {
    if (sem_trywait(&places) != 0) {
        pthread_mutex_lock(&lock);
        refused++;
        pthread_mutex_unlock(&lock);
        return 0;
    }
    pthread_mutex_lock(&lock);
    active++;
    if (active > peak)
        peak = active;
    assert(active <= LIMIT); // SAFE
    assert(peak >= active); // SAFE
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    active--;
    served++;
    assert(active >= 0); // SAFE
    assert(active < LIMIT); // SAFE
    pthread_mutex_unlock(&lock);
    sem_post(&places);
    return 0;
}

int main(void) {
    pthread_t t[5];
    sem_init(&places, 0, LIMIT);
    for (int i = 0; i < 5; i++)
        pthread_create(&t[i], 0, client, 0);
    for (int i = 0; i < 5; i++)
        pthread_join(t[i], 0);
    assert(active == 0); // SAFE
    assert(served + refused == 5); // SAFE
    assert(peak <= LIMIT); // SAFE
    __goblint_check(refused == 0); // UNSAFE!
    return 0;
}
