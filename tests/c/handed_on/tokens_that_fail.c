// ARGS: --properties assertion
// Twins that fail: a gate that a third thread opens, a post before the message, a lock that was given back meanwhile.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t gate, ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside, message;

static void *visitor(void *unused) {
    sem_wait(&gate);
    inside++;
    __goblint_check(inside == 1); // UNSAFE!
    inside--;
    sem_post(&gate);
    return 0;
}

static void *opener(void *unused) {
    sem_post(&gate);
    sem_post(&ready);
    if (pthread_mutex_trylock(&lock) == 0) {
        pthread_mutex_unlock(&lock);
        __goblint_check(pthread_mutex_trylock(&lock) == 0 && pthread_mutex_unlock(&lock) == 0); // UNSAFE!
    }
    message = 1;
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    sem_init(&gate, 0, 1);
    sem_init(&ready, 0, 0);
    pthread_create(&a, 0, visitor, 0);
    pthread_create(&b, 0, visitor, 0);
    pthread_create(&c, 0, opener, 0);
    sem_wait(&ready);
    __goblint_check(message == 1); // UNSAFE!
    pthread_mutex_lock(&lock);
    assert(pthread_mutex_trylock(&lock) != 0); // SAFE
    pthread_mutex_unlock(&lock);
    pthread_join(c, 0);
    assert(message == 1); // SAFE
    return 0;
}
