// Lock coupling: the second lock is taken before the first is released.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t head_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t tail_lock = PTHREAD_MUTEX_INITIALIZER;
int head, tail;

void *traverse(void *unused) {
    pthread_mutex_lock(&head_lock);
    head = 5;
    pthread_mutex_lock(&tail_lock);
    assert(head == 5); // SAFE
    head = 0;
    pthread_mutex_unlock(&head_lock);
    tail = 6;
    assert(tail == 6); // SAFE
    assert(head == 0); // UNSAFE!
    tail = 0;
    pthread_mutex_unlock(&tail_lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, traverse, 0);
    pthread_create(&b, 0, traverse, 0);
    pthread_mutex_lock(&tail_lock);
    assert(tail == 0); // SAFE
    pthread_mutex_unlock(&tail_lock);
    return 0;
}
