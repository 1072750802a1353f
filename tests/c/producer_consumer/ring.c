// ARGS: --properties assertion,array-bounds
// A ring buffer: the positions wrap round under a lock.
#include <pthread.h>
#include <assert.h>

#define SIZE 8
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int ring[SIZE];
int next_in, next_out;
int loose;

void *put(void *unused) {
    while (1) {
        pthread_mutex_lock(&lock);
        ring[next_in] = 1; // SAFE
        if (next_in < SIZE - 1) next_in = next_in + 1;
        else next_in = 0;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

void *get(void *unused) {
    while (1) {
        int item;
        pthread_mutex_lock(&lock);
        item = ring[next_out]; // SAFE (needs refinement)
        next_out = next_out + 1;
        if (next_out == SIZE) next_out = 0;
        assert(item <= 1); // SAFE
        pthread_mutex_unlock(&lock);
        loose = loose + 1;
        item = ring[loose]; // UNSAFE!
        if (loose == SIZE - 1) loose = 0;
    }
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, put, 0);
    pthread_create(&b, 0, get, 0);
    pthread_create(&c, 0, get, 0);
    pthread_join(a, 0);
    return 0;
}
