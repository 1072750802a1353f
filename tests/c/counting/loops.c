// Threads that count in loops: how often is known of each by a relation to its own counter.
#include <pthread.h>
#include <assert.h>

#define ROUNDS 10
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total, evens;

static void *up(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        total++;
        if (i % 2 == 0) evens++;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *down(void *unused) {
    for (int i = ROUNDS; i > 5; i--) {
        pthread_mutex_lock(&lock);
        total--;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, up, 0);
    pthread_create(&b, 0, up, 0);
    pthread_create(&c, 0, down, 0);
    assert(total <= 2 * ROUNDS); // SAFE (needs octagon)
    assert(total >= -5); // SAFE (needs octagon)
    assert(total < ROUNDS); // UNSAFE!
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(total == 2 * ROUNDS - 5); // SAFE (needs octagon)
    assert(evens >= 0); // SAFE
    assert(evens == ROUNDS); // SAFE (needs octagon)
    return 0;
}
