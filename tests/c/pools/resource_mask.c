// ARGS: --properties assertion,array-bounds
// Resources as bits of a mask that is changed atomically.
#include <pthread.h>
#include <assert.h>

#define ALL 0xffu
static unsigned taken;
static int owner_of[8];

static void *client(void *argument) {
    int number = (int)(long)argument;
    unsigned bit = 1u << (number & 7);
    unsigned before = __sync_fetch_and_or(&taken, bit);
    assert(number >= 0 && number <= 2); // SAFE
    if (before & bit) return 0;
    owner_of[number & 7] = number + 1; // SAFE
    assert((taken & bit) != 0); // SAFE
    assert(taken == bit); // UNSAFE!
    __sync_fetch_and_and(&taken, ~bit);
    return 0;
}

int main(void) {
    pthread_t t[3];
    for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, client, (void *)i);
    assert(taken <= ALL); // SAFE
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    for (int i = 0; i < 8; i++)
        assert(owner_of[i] <= 3); // SAFE
    return 0;
}
