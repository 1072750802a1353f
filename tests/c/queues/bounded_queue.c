// ARGS: --properties assertion,array-bounds
// A bounded queue with two conditions; fill level and positions are looked at under the lock only.
#include <pthread.h>
#include <assert.h>

#define SIZE 8
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int slots[SIZE];
static int head, tail, used;

static void put(int item) {
    pthread_mutex_lock(&lock);
    while (used == SIZE) pthread_cond_wait(&not_full, &lock);
    slots[tail] = item; // SAFE
    tail = (tail + 1) % SIZE;
    used++;
    assert(used >= 1); // SAFE
    assert(used <= SIZE); // SAFE
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
}

static int get(void) {
    int item;
    pthread_mutex_lock(&lock);
    while (used == 0) pthread_cond_wait(&not_empty, &lock);
    item = slots[head]; // SAFE
    head = (head + 1) % SIZE;
    used--;
    assert(used >= 0); // SAFE
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return item;
}

static void *producer(void *unused) {
    for (int i = 1; i <= 5; i++) put(i);
    return 0;
}

static void *consumer(void *unused) {
    for (int i = 0; i < 5; i++) {
        int item = get();
        assert(item >= 0); // SAFE
        assert(item <= 5); // SAFE
        assert(item <= 4); // UNSAFE!
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
