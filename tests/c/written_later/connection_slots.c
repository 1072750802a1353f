// At most two connections at a time: a counting semaphore, and a lock around what is counted.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define SLOTS 2

static sem_t slots;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int open_connections, most, total;

static void connect_one(void) {
    sem_wait(&slots);
    pthread_mutex_lock(&lock);
    open_connections++;
    total++;
    assert(open_connections >= 1); // SAFE
    // Whoever counted itself in holds one of two tokens.
    assert(open_connections <= SLOTS); // SAFE
    if (open_connections > most)
        most = open_connections;
    assert(most >= open_connections); // SAFE
    assert(total >= open_connections); // SAFE
    pthread_mutex_unlock(&lock);
}

static void disconnect(void) {
    pthread_mutex_lock(&lock);
    assert(open_connections >= 1); // SAFE
    open_connections--;
    pthread_mutex_unlock(&lock);
    sem_post(&slots);
}

static void *client(void *unused) {
    for (int i = 0; i < 2; i++) {
        connect_one();
        __goblint_check(open_connections == 1); // UNSAFE!
        disconnect();
    }
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    sem_init(&slots, 0, SLOTS);
    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, client, 0);
    pthread_create(&c, 0, client, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(open_connections == 0); // SAFE
    assert(total == 6); // SAFE
    assert(most <= SLOTS); // SAFE
    assert(most >= 1); // SAFE
    __goblint_check(most == SLOTS); // UNSAFE!
    return 0;
}
