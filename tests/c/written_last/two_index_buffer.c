// A bounded buffer under one lock that keeps two indexes and no count: one place stays empty.
#include <assert.h>
#include <pthread.h>

#define PLACES 5
#define ITEMS 9

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int places[PLACES];
static int front, back; // empty where they are equal

static int next(int i) {
    return i + 1 == PLACES ? 0 : i + 1;
}

static void put(int value) {
    pthread_mutex_lock(&lock);
    while (next(back) == front)
        pthread_cond_wait(&changed, &lock);
    assert(back >= 0 && back < PLACES); // SAFE
    places[back] = value;
    back = next(back);
    assert(back != front); // UNKNOWN (a number that is unequal to another one)
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static int get(void) {
    pthread_mutex_lock(&lock);
    while (back == front)
        pthread_cond_wait(&changed, &lock);
    assert(front >= 0 && front < PLACES); // SAFE
    int value = places[front];
    front = next(front);
    assert(next(back) != front); // UNKNOWN (a number that is unequal to another one)
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return value;
}

static void *producer(void *unused) {
    for (int i = 0; i < ITEMS; i++)
        put(10 + i);
    return 0;
}

static void *consumer(void *unused) {
    int got = 0;
    for (int i = 0; i < ITEMS; i++) {
        int value = get();
        assert(value >= 0); // SAFE
        assert(value < 10 + ITEMS); // SAFE
        got++;
    }
    assert(got == ITEMS); // SAFE
    return 0;
}

int main(void) {
    pthread_t p, c;
    pthread_create(&p, 0, producer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_mutex_lock(&lock);
    __goblint_check(front <= back); // UNSAFE!
    pthread_mutex_unlock(&lock);
    pthread_join(p, 0);
    pthread_join(c, 0);
    assert(front >= 0 && front < PLACES); // SAFE
    return 0;
}
