// A ring buffer under one lock holds between none and SIZE elements, however far its ends have come.
#include <pthread.h>
#include <assert.h>
#define SIZE 4

extern _Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int head, tail;

void *producer(void *unused) {
    while (__VERIFIER_nondet_bool()) {
        pthread_mutex_lock(&lock);
        if (head - tail < SIZE)
            head++;
        assert(head - tail <= SIZE); // SAFE (needs octagon)
        assert(head - tail < SIZE); // UNSAFE!
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

void *consumer(void *unused) {
    while (__VERIFIER_nondet_bool()) {
        pthread_mutex_lock(&lock);
        int filled = head - tail;
        if (filled > 0) {
            tail++;
            assert(0 <= head - tail && head - tail < SIZE); // SAFE (needs octagon)
        }
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, producer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_mutex_lock(&lock);
    assert(0 <= head - tail && head - tail <= SIZE); // SAFE (needs octagon)
    pthread_mutex_unlock(&lock);
    return 0;
}
