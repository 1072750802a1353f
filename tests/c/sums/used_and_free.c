// Slots are used or free, and there are as many as the pool has; the size is set before anybody starts.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int used, unused, size;

void *taker(void *argument) {
    pthread_mutex_lock(&lock);
    if (unused > 0) {
        unused--;
        used++;
    }
    assert(used + unused == size); // SAFE (needs octagon)
    assert(used <= size); // SAFE (needs octagon)
    pthread_mutex_unlock(&lock);
    return 0;
}

void *giver(void *argument) {
    pthread_mutex_lock(&lock);
    if (used > 0) {
        used--;
        unused++;
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    size = __VERIFIER_nondet_int();
    if (size < 0)
        return 0;
    unused = size;
    for (int i = 0; i < 3; i++) {
        pthread_create(&thread, 0, taker, 0);
        pthread_create(&thread, 0, giver, 0);
    }
    pthread_mutex_lock(&lock);
    assert(size == unused + used); // SAFE (needs octagon)
    pthread_mutex_unlock(&lock);
    return 0;
}
