// ARGS: --properties assertion,overflow
// A queue as a count with two semaphores, for permits to add and to take: it is never longer than it has room.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

extern _Bool __VERIFIER_nondet_bool(void);
#define ROOM 4
static sem_t room, items;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int length;

static void *producer(void *unused) {
    while (__VERIFIER_nondet_bool()) {
        sem_wait(&room);
        pthread_mutex_lock(&lock);
        assert(length < ROOM); // SAFE
        length++; // SAFE
        __goblint_check(length < ROOM); // UNSAFE!
        pthread_mutex_unlock(&lock);
        sem_post(&items);
    }
    return 0;
}

static void *consumer(void *unused) {
    for (;;) {
        sem_wait(&items);
        pthread_mutex_lock(&lock);
        assert(length > 0); // SAFE
        length--; // SAFE
        assert(length >= 0 && length < ROOM); // SAFE
        __goblint_check(length == 0); // UNSAFE!
        pthread_mutex_unlock(&lock);
        sem_post(&room);
    }
    return 0;
}

int main(void) {
    pthread_t p[2], c[2];
    sem_init(&room, 0, ROOM);
    sem_init(&items, 0, 0);
    for (int i = 0; i < 2; i++) {
        pthread_create(&p[i], 0, producer, 0);
        pthread_create(&c[i], 0, consumer, 0);
    }
    pthread_mutex_lock(&lock);
    assert(length >= 0 && length <= ROOM); // SAFE
    pthread_mutex_unlock(&lock);
    pthread_join(c[0], 0);
    return 0;
}
