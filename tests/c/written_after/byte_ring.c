// ARGS: --properties assertion,array-bounds,data-race
// A ring without locks for one writer and one reader: free-running positions, masked where they are used.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 8u
static unsigned char ring[SIZE];
static atomic_uint head;
static atomic_uint tail;
static unsigned sent; // SAFE

static int push(unsigned char byte) {
    unsigned h = atomic_load(&head);
    unsigned t = atomic_load(&tail);
    assert(h - t <= SIZE); // SAFE (needs octagon)
    if (h - t == SIZE)
        return 0;
    ring[h & (SIZE - 1)] = byte; // UNKNOWN (a difference of two numbers that start over, of which others raise one)
    atomic_store(&head, h + 1);
    return 1;
}

static int pop(unsigned char *byte) {
    unsigned t = atomic_load(&tail);
    unsigned h = atomic_load(&head);
    assert(h - t <= SIZE); // UNKNOWN (a difference of two numbers that start over, of which others raise one)
    if (h == t)
        return 0;
    *byte = ring[t & (SIZE - 1)]; // SAFE
    atomic_store(&tail, t + 1);
    return 1;
}

static void *writer(void *unused) {
    for (unsigned i = 0; i < 12;)
        if (push((unsigned char)(i + 100)))
            i++;
    sent = 12;
    return 0;
}

static void *reader(void *result) {
    unsigned got = 0, sum = 0;
    while (got < 12) {
        unsigned char byte = 0;
        if (pop(&byte)) {
            assert(byte >= 100 && byte < 112); // UNKNOWN (what is in an array between two indices)
            assert(byte == 100 + got); // UNKNOWN (what is in an array between two indices)
            got++;
            sum += byte;
        }
        __goblint_check(atomic_load(&head) == atomic_load(&tail)); // UNSAFE!
    }
    assert(atomic_load(&tail) == 12); // SAFE (needs octagon)
    assert(atomic_load(&head) == 12); // SAFE (needs octagon)
    assert(sum <= 12 * 255); // SAFE (needs octagon)
    *(unsigned *)result = sum;
    return 0;
}

int main(void) {
    pthread_t w, r;
    unsigned sum = 0;
    pthread_create(&w, 0, writer, 0);
    pthread_create(&r, 0, reader, &sum);
    pthread_join(w, 0);
    assert(sent == 12); // SAFE
    __goblint_check(atomic_load(&tail) == 12); // UNSAFE!
    pthread_join(r, 0);
    assert(atomic_load(&head) == atomic_load(&tail)); // SAFE (needs octagon)
    assert(sum <= 12 * 255); // SAFE
    return 0;
}
