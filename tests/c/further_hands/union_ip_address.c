// Addresses as bytes and as words, counted and compared by several threads.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

union address {
    uint32_t word;
    uint8_t byte[4];
};

static union address gateway, last;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int seen, local;

static void *receive(void *arg) {
    union address from;
    int i = *(int *)arg;
    from.word = 0;
    from.byte[0] = 10;
    from.byte[3] = (uint8_t)i;
    assert((from.word & 0xff) == 10); // SAFE
    assert(from.word >> 24 == (uint32_t)i); // SAFE
    pthread_mutex_lock(&m);
    last = from;
    seen++;
    if (last.byte[0] == gateway.byte[0])
        local++;
    assert(local == seen); // SAFE
    assert(last.word != 0); // SAFE
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t[3];
    static int numbers[3] = { 1, 2, 3 };
    gateway.word = 0x0100000a;
    assert(gateway.byte[0] == 10 && gateway.byte[3] == 1); // SAFE
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, receive, &numbers[i]);
    pthread_mutex_lock(&m);
    assert(last.word == 0 || last.byte[0] == 10); // SAFE
    assert(last.byte[1] == 0); // SAFE
    pthread_mutex_unlock(&m);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(seen == 3 && local == 3); // SAFE
    assert(last.byte[0] == 10); // SAFE
    assert(last.byte[3] >= 1 && last.byte[3] <= 3); // SAFE
    assert(last.byte[3] == 3); // UNSAFE!
    return 0;
}
