// ARGS: --properties assertion,array-bounds
// A clock over cache lines: the hand goes round, lines with a second chance lose it.
#include <pthread.h>
#include <assert.h>

#define LINES 4
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int key[LINES], second_chance[LINES];
static int hand, raw_hand;

static void *store(void *argument) {
    int wanted = (int)(long)argument;
    for (int n = 0; n < 3; n++) {
        pthread_mutex_lock(&lock);
        while (second_chance[hand]) { // SAFE
            second_chance[hand] = 0; // SAFE
            hand = (hand + 1) % LINES;
        }
        key[hand] = wanted; // SAFE
        second_chance[hand] = 1; // SAFE
        hand = (hand + 1) % LINES;
        assert(hand < LINES); // SAFE
        pthread_mutex_unlock(&lock);
        key[raw_hand] = 0; // UNSAFE!
        raw_hand = raw_hand + 1;
        if (raw_hand >= LINES) raw_hand = 0;
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, store, (void *)5);
    pthread_create(&b, 0, store, (void *)6);
    assert(key[0] <= 6); // SAFE
    assert(hand >= 0); // SAFE
    return 0;
}
