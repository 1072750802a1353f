// As queue_positions.c, but a retry counts what is taken a second time.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int put, taken, length;

void *producer(void *unused) {
    pthread_mutex_lock(&lock);
    put++;
    length++;
    assert(length <= put); // SAFE (needs octagon)
    pthread_mutex_unlock(&lock);
    return 0;
}

void *consumer(void *unused) {
    pthread_mutex_lock(&lock);
    if (length > 0) {
        length--;
        taken++;
        if (__VERIFIER_nondet_int())
            length++;
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 2; i++) {
        pthread_create(&thread, 0, producer, 0);
        pthread_create(&thread, 0, consumer, 0);
    }
    pthread_mutex_lock(&lock);
    assert(put == taken + length); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}
