// ARGS: --properties assertion,array-bounds
// The same ring with a second producer, which breaks the ownership: the index is tested and then used from memory.
#include <pthread.h>
#include <assert.h>

#define SIZE 4
static volatile int fill;
static int ring[SIZE + 1];

static void *producer(void *argument) {
    for (int i = 0; i < 3; i++) {
        if (fill < SIZE) {
            int at = fill;
            ring[at] = 7; // UNSAFE!
            fill = fill + 1;
        }
    }
    return 0;
}

static void *careful(void *unused) {
    int at = fill;
    if (at >= 0 && at < SIZE) {
        ring[at] = 8; // SAFE
    }
    assert(ring[1] <= 8); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b, c, d;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, producer, 0);
    pthread_create(&d, 0, producer, 0);
    pthread_create(&c, 0, careful, 0);
    assert(fill >= 0); // SAFE
    return 0;
}
