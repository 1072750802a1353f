// Work is shed once a queue is half full: twice its length stays within the capacity and one.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int length, capacity;

void *producer(void *unused) {
    pthread_mutex_lock(&lock);
    if (2 * length < capacity)
        length++;
    assert(2 * length <= capacity + 1); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    capacity = __VERIFIER_nondet_int();
    if (capacity < 0 || capacity > 1000)
        return 0;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, 0, producer, 0);
    return 0;
}
