// A ring buffer with a mutex and two conditions.
#include <assert.h>
#include <pthread.h>

#define SIZE 4
static int buffer[SIZE];
static int head, tail, count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;

static void put(int value) {
    pthread_mutex_lock(&lock);
    while (count == SIZE)
        pthread_cond_wait(&not_full, &lock);
    assert(count < SIZE); // SAFE
    buffer[tail] = value;
    tail = (tail + 1) % SIZE;
    count++;
    assert(tail >= 0 && tail < SIZE); // SAFE
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
}

static int get(void) {
    pthread_mutex_lock(&lock);
    while (count == 0)
        pthread_cond_wait(&not_empty, &lock);
    assert(count > 0 && count <= SIZE); // SAFE
    int value = buffer[head];
    head = (head + 1) % SIZE;
    count--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return value;
}

static void *producer(void *unused) {
    for (int i = 1; i <= 10; i++)
        put(i);
    return 0;
}

static void *consumer(void *unused) {
    int last = 0;
    for (int i = 0; i < 10; i++) {
        int value = get();
        assert(value >= 1 && value <= 10); // SAFE
        last = value;
    }
    __goblint_check(last < 10); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t p, c;
    pthread_create(&p, 0, producer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_join(p, 0);
    pthread_join(c, 0);
    assert(count == 0); // SAFE
    return 0;
}
