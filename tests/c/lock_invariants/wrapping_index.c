// An index that wraps around: out of range only while the lock is held.
#include <pthread.h>
#include <assert.h>
#define SIZE 3

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int next, table[SIZE];

void *client(void *unused) {
    pthread_mutex_lock(&lock);
    assert(0 <= next && next < SIZE); // SAFE (needs octagon)
    table[next] = 1;
    next = next + 1;
    if (next == SIZE)
        next = 0;
    assert(next < SIZE); // SAFE (needs octagon)
    pthread_mutex_unlock(&lock);
    assert(next < SIZE); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 4; i++)
        pthread_create(&thread, 0, client, 0);
    return 0;
}
