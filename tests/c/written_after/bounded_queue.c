// ARGS: --properties assertion,array-bounds,overflow
// A bounded queue with two condition variables: two producers, one consumer that ends at a sentinel from each of them.
#include <assert.h>
#include <pthread.h>

#define ROOM 4
#define ITEMS 3
#define LAST (-1)
static int items[ROOM];
static int first, count, put_total, taken_total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;

static void put(int value) {
    pthread_mutex_lock(&lock);
    while (count == ROOM)
        pthread_cond_wait(&not_full, &lock);
    assert(count < ROOM); // SAFE
    items[(first + count) % ROOM] = value; // SAFE
    count++; // SAFE
    put_total++; // SAFE
    assert(put_total - taken_total == count); // SAFE
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
}

static int take(void) {
    pthread_mutex_lock(&lock);
    while (count == 0)
        pthread_cond_wait(&not_empty, &lock);
    assert(count > 0 && count <= ROOM); // SAFE
    int value = items[first]; // SAFE
    first = (first + 1) % ROOM; // SAFE
    count--; // SAFE
    taken_total++; // SAFE
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return value;
}

static void *producer(void *unused) {
    for (int i = 0; i < ITEMS; i++)
        put(i);
    put(LAST);
    return 0;
}

static void *consumer(void *result) {
    int ends = 0, sum = 0, seen = 0;
    while (ends < 2) {
        int value = take();
        assert(value >= LAST && value < ITEMS); // SAFE
        seen++;
        if (value == LAST)
            ends++;
        else
            sum += value; // UNKNOWN (what is in an array between two indices)
    }
    assert(ends == 2); // SAFE
    assert(seen == 2 * ITEMS + 2); // UNKNOWN (what all threads together have put in)
    assert(sum >= 0); // SAFE
    __goblint_check(first == 1); // UNSAFE!
    *(int *)result = sum;
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    int sum = 0;
    pthread_create(&c, 0, consumer, &sum);
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, producer, 0);
    pthread_mutex_lock(&lock);
    __goblint_check(count == 0); // UNSAFE!
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(count == 0); // SAFE
    assert(put_total == 2 * (ITEMS + 1)); // SAFE
    assert(taken_total == put_total); // SAFE
    return 0;
}
