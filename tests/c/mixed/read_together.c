// What was read in one section stays related after it: copies of cells that are in order whenever the lock is free.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int head, tail;

void *writer(void *unused) {
    pthread_mutex_lock(&lock);
    head++;
    pthread_mutex_unlock(&lock);
    return 0;
}

void *reader(void *unused) {
    pthread_mutex_lock(&lock);
    if (tail < head)
        tail++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 3; i++) {
        pthread_create(&thread, 0, writer, 0);
        pthread_create(&thread, 0, reader, 0);
    }
    pthread_mutex_lock(&lock);
    int from = tail;
    int to = head;
    pthread_mutex_unlock(&lock);
    int length = to - from;
    assert(from <= to); // SAFE (needs octagon)
    assert(length >= 0); // SAFE (needs octagon)
    pthread_mutex_lock(&lock);
    assert(from <= head); // SAFE (others only raise it)
    assert(to == head); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}
