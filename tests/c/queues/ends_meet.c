// ARGS: --properties assertion,array-bounds
// What was put into a ring was taken again: then both ends are at one place, and the rest lies between them.
#include <assert.h>
#include <pthread.h>

#define SIZE 16
#define ROUNDS 20

static int ring[SIZE];
static unsigned head, tail, count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *put(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        while (count == SIZE)
            pthread_cond_wait(&changed, &lock);
        ring[tail] = i; // SAFE
        tail = (tail + 1) % SIZE;
        count++;
        assert((head + count) % SIZE == tail); // SAFE
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *get(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        while (count == 0)
            pthread_cond_wait(&changed, &lock);
        assert(ring[head] < ROUNDS); // SAFE
        head = (head + 1) % SIZE;
        count--;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, put, 0);
    pthread_create(&b, 0, get, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(head == tail); // SAFE
    assert(head == ROUNDS - SIZE + 1); // UNSAFE!
    return 0;
}
