// ARGS: --properties assertion,data-race,array-bounds,overflow
// A bounded buffer with two condition variables.
#include <assert.h>
#include <pthread.h>

#define SIZE 5
static int buffer[SIZE]; // SAFE
static int in, out, count; // SAFE
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;

static void put(int v) {
    pthread_mutex_lock(&m);
    while (count == SIZE)
        pthread_cond_wait(&not_full, &m);
    assert(count < SIZE); // SAFE
    buffer[in] = v; // SAFE
    in = (in + 1) % SIZE;
    count++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&m);
}

static int get(void) {
    pthread_mutex_lock(&m);
    while (count == 0)
        pthread_cond_wait(&not_empty, &m);
    assert(count > 0); // SAFE
    int v = buffer[out]; // SAFE
    out = (out + 1) % SIZE;
    count--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&m);
    return v;
}

static void *producer(void *arg) {
    for (int i = 1; i <= 20; i++)
        put(i);
    return 0;
}

static void *consumer(void *arg) {
    int sum = 0;
    for (int i = 0; i < 20; i++) {
        int v = get();
        assert(v >= 1); // SAFE (needs what a ring holds)
        assert(v <= 20); // SAFE
        sum += v; // SAFE
    }
    return 0;
}

int main(void) {
    pthread_t p[2], c[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&p[i], 0, producer, 0);
        pthread_create(&c[i], 0, consumer, 0);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(p[i], 0);
        pthread_join(c[i], 0);
    }
    assert(count == 0); // SAFE
    assert(count > 0); // UNSAFE!
    return 0;
}
