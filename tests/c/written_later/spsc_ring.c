// A ring for one writer and one reader without locks: indices that only their owner moves, as sequence numbers.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 4u
#define ITEMS 20

static atomic_uint written, taken;
static int slots[SIZE];

static int try_put(int value) {
    unsigned w = atomic_load(&written);
    unsigned t = atomic_load(&taken);
    if (w - t == SIZE)
        return 0;
    assert(w - t < SIZE); // SAFE
    slots[w % SIZE] = value;
    atomic_store(&written, w + 1);
    return 1;
}

static int try_take(int *value) {
    unsigned t = atomic_load(&taken);
    unsigned w = atomic_load(&written);
    if (w == t)
        return 0;
    assert(w - t <= SIZE); // UNKNOWN (a difference of two numbers of which others raise both, where they meet)
    *value = slots[t % SIZE];
    atomic_store(&taken, t + 1);
    return 1;
}

static void *writer(void *unused) {
    for (int i = 1; i <= ITEMS;)
        if (try_put(i))
            i++;
    assert(atomic_load(&written) == ITEMS); // SAFE
    __goblint_check(atomic_load(&taken) == ITEMS); // UNSAFE!
    return 0;
}

static void *reader(void *unused) {
    int value = 0, count = 0, sum = 0;
    while (count < ITEMS) {
        if (!try_take(&value))
            continue;
        assert(value >= 1); // UNKNOWN (what is in an array between two indices)
        assert(value <= ITEMS); // SAFE
        count++;
        sum += value;
    }
    assert(count == ITEMS); // SAFE
    assert(sum >= ITEMS); // SAFE
    return 0;
}

int main(void) {
    pthread_t w, r;
    pthread_create(&w, 0, writer, 0);
    pthread_create(&r, 0, reader, 0);
    unsigned t = atomic_load(&taken), seen = atomic_load(&written);
    // What is written later is more, and nothing is taken before it is written.
    assert(t <= seen); // SAFE
    __goblint_check(seen - t <= 1); // UNSAFE!
    pthread_join(w, 0);
    pthread_join(r, 0);
    assert(atomic_load(&written) == atomic_load(&taken)); // SAFE
    return 0;
}
