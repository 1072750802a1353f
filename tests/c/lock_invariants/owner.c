// The owner of a resource is set exactly while it is busy.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int busy, owner;

static void check(void) {
    pthread_mutex_lock(&lock);
    if (busy)
        assert(owner != 0); // SAFE (needs octagon)
    else
        assert(owner == 0); // SAFE (needs octagon)
    pthread_mutex_unlock(&lock);
}

void *client(void *unused) {
    pthread_mutex_lock(&lock);
    if (!busy) {
        busy = 1;
        owner = 1;
    }
    pthread_mutex_unlock(&lock);
    check();
    pthread_mutex_lock(&lock);
    owner = 0;
    busy = 0;
    pthread_mutex_unlock(&lock);
    if (busy)
        assert(owner != 0); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, 0, client, 0);
    return 0;
}
