#include <assert.h>
#include <pthread.h>

#define SIZE 5

static int slots[SIZE], head, tail, count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void put(int value) {
    pthread_mutex_lock(&lock);
    while (count == SIZE)
        pthread_cond_wait(&changed, &lock);
    slots[tail] = value;
    tail = (tail + 1) % SIZE;
    count++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static int get(void) {
    pthread_mutex_lock(&lock);
    while (count < 0)
        pthread_cond_wait(&changed, &lock);
    int value = slots[head];
    head = (head + 1) % SIZE;
    count--;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return value;
}

void *producer(void *unused) {
    for (int i = 1; i <= 30; i++)
        put(i);
    return 0;
}

void *consumer(void *unused) {
    for (int i = 1; i <= 30; i++) {
        int value = get();
        assert(value >= 1 && value <= 30); // UNSAFE!
    }
    return 0;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, producer, 0);
    pthread_create(&other, 0, consumer, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
