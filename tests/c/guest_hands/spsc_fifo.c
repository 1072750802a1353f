// ARGS: --properties assertion,array-bounds
// One producer and one consumer with a ring of atomic indices that only go on.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define CAP 4
#define COUNT 8

static int slot[CAP];
static atomic_uint head, tail;
static int produced, consumed;

static void *produce(void *unused) {
    for (int i = 1; i <= COUNT; i++) {
        while (tail - head == CAP)
            ;
        slot[tail % CAP] = i * 3; // SAFE
        tail++;
        produced++;
        assert(tail - head <= CAP); // SAFE
        assert(produced == i); // SAFE
    }
    assert(tail == COUNT); // SAFE
    return unused;
}

static void *consume(void *unused) {
    int sum = 0;
    for (int i = 1; i <= COUNT; i++) {
        while (tail == head)
            ;
        int v = slot[head % CAP]; // SAFE
        assert(v % 3 == 0); // SAFE
        assert(v <= 3 * COUNT); // SAFE
        head++;
        sum += v;
        consumed++;
        assert(head <= tail); // SAFE
    }
    assert(sum <= 3 * COUNT * COUNT); // UNKNOWN (a sum of what a ring hands on)
    assert(consumed == COUNT); // SAFE
    return unused;
}

int main(void) {
    pthread_t p, c;
    pthread_create(&p, 0, produce, 0);
    pthread_create(&c, 0, consume, 0);
    pthread_join(p, 0);
    pthread_join(c, 0);
    assert(head == tail); // SAFE
    assert(produced == consumed); // SAFE
    assert(head == 7); // UNSAFE!
    return 0;
}
