// ARGS: --properties assertion,array-bounds
// A ring under a lock that overwrites the oldest sample when it is full; a consumer takes what is there.
#include <assert.h>
#include <pthread.h>

#define SLOTS 4
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int slot[SLOTS], first, count, lost, pushed, popped;

static void push(int value) {
    pthread_mutex_lock(&lock);
    int at = (first + count) % SLOTS;
    assert(at >= 0 && at < SLOTS); // SAFE
    slot[at] = value; // SAFE
    pushed++;
    if (count == SLOTS) {
        first = (first + 1) % SLOTS;
        lost++;
    } else {
        count++;
    }
    assert(count >= 1 && count <= SLOTS); // SAFE
    assert(pushed == popped + lost + count); // SAFE
    pthread_mutex_unlock(&lock);
}

static int pop(int *value) {
    int found = 0;
    pthread_mutex_lock(&lock);
    if (count > 0) {
        *value = slot[first]; // SAFE
        first = (first + 1) % SLOTS;
        count--;
        popped++;
        found = 1;
    }
    assert(count >= 0 && count < SLOTS); // SAFE
    assert(popped <= pushed); // SAFE
    pthread_mutex_unlock(&lock);
    return found;
}

static void *sampler(void *unused) {
    for (int i = 0; i < 6; i++)
        push(10 + i);
    return 0;
}

static void *consumer(void *unused) {
    int got = 0, value = 10;
    for (int i = 0; i < 6; i++)
        if (pop(&value)) {
            assert(value >= 10 && value < 16); // SAFE
            __goblint_check(value == 10 + got); // UNSAFE!
            got++;
        }
    assert(got <= 6); // SAFE
    return 0;
}

int main(void) {
    pthread_t s, c;
    pthread_create(&s, 0, sampler, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_join(s, 0);
    pthread_join(c, 0);
    assert(pushed == 6); // SAFE
    assert(popped + lost + count == 6); // SAFE
    assert(first >= 0 && first < SLOTS); // SAFE
    return 0;
}
