// The test for a full buffer is one too generous.
#include <pthread.h>
#include <assert.h>
#define SIZE 2

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int head, tail;

void *producer(void *unused) {
    pthread_mutex_lock(&lock);
    if (head - tail <= SIZE)
        head++;
    assert(head - tail <= SIZE); // UNSAFE!
    assert(head - tail <= SIZE + 1); // SAFE (needs octagon)
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, 0, producer, 0);
    return 0;
}
