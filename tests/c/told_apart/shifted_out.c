// A loop that shifts until nothing is left, and one that doubles until a limit: both end after a known number of rounds.
#include <assert.h>
#include <pthread.h>

static int bits_of_mask, order;

static void *count(void *unused) {
    unsigned mask = 0xB5;
    int bits = 0;
    while (mask) {
        bits += mask & 1;
        mask >>= 1;
    }
    assert(bits == 5); // SAFE
    bits_of_mask = bits;
    return 0;
}

static void *measure(void *unused) {
    int size = 1, steps = 0;
    do {
        size *= 2;
        steps++;
    } while (size < 1000);
    assert(size == 1024); // SAFE
    assert(steps == 10); // SAFE
    order = steps;
    return 0;
}

int main(void) {
    pthread_t a, b;
    if (pthread_create(&a, 0, count, 0) || pthread_create(&b, 0, measure, 0))
        return 1;
    __goblint_check(order == bits_of_mask); // UNSAFE!
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(order == 2 * bits_of_mask); // SAFE
    return 0;
}
