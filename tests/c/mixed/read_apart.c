// As read_together.c, but the cells are read in two sections: the second may be newer than the first.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int head, tail;

void *mover(void *unused) {
    pthread_mutex_lock(&lock);
    head++;
    if (tail < head)
        tail++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, 0, mover, 0);
    pthread_mutex_lock(&lock);
    int to = head;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    int from = tail;
    assert(from <= head); // SAFE (needs octagon)
    pthread_mutex_unlock(&lock);
    assert(from <= to); // UNSAFE!
    return 0;
}
