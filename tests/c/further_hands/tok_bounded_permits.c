// Three permits for a pool of connections; who has one may change what is counted of them.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t permits;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int open_now, opened, most;

static void *client(void *u) {
    for (int i = 0; i < 2; i++) {
        sem_wait(&permits);
        pthread_mutex_lock(&m);
        open_now++;
        opened++;
        if (open_now > most)
            most = open_now;
        assert(open_now >= 1 && open_now <= 3); // SAFE
        assert(open_now <= opened); // SAFE
        pthread_mutex_unlock(&m);

        pthread_mutex_lock(&m);
        assert(open_now > 0); // SAFE
        open_now--;
        assert(most > open_now); // SAFE
        pthread_mutex_unlock(&m);
        sem_post(&permits);
    }
    return u;
}

int main(void) {
    pthread_t t[5];
    sem_init(&permits, 0, 3);
    for (int i = 0; i < 5; i++)
        pthread_create(&t[i], 0, client, 0);
    for (int i = 0; i < 5; i++)
        pthread_join(t[i], 0);
    assert(opened == 10); // SAFE
    assert(open_now == 0); // SAFE
    assert(most >= 1 && most <= 3); // SAFE
    assert(most == 3); // UNSAFE!
    return 0;
}
