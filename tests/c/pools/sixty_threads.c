// Sixty threads in an array, each with its own number; results are added under a lock.
#include <pthread.h>
#include <assert.h>

#define THREADS 60
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t handles[THREADS];
static int largest, smallest = THREADS;

static void *worker(void *argument) {
    int number = (int)(long)argument;
    assert(number >= 0); // SAFE
    assert(number < THREADS); // SAFE
    pthread_mutex_lock(&lock);
    if (number > largest) largest = number;
    if (number < smallest) smallest = number;
    assert(largest < THREADS); // SAFE
    assert(smallest <= largest); // SAFE (needs octagon)
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    for (long i = 0; i < THREADS; i++) pthread_create(&handles[i], 0, worker, (void *)i);
    assert(smallest == 0); // UNSAFE!
    assert(largest >= 0); // SAFE
    return 0;
}
