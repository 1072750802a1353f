// A word and its halves, little-endian as on x86-64: what is written to a half is found in the word.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

union word {
    uint32_t whole;
    uint16_t half[2];
    struct { uint8_t b0, b1, b2, b3; } byte;
};

static union word status;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *low(void *unused) {
    pthread_mutex_lock(&lock);
    status.half[0] = 0x1234;
    assert(status.byte.b0 == 0x34); // SAFE
    assert((status.whole & 0xffff) == 0x1234); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *high(void *unused) {
    pthread_mutex_lock(&lock);
    status.half[1] = 0xff;
    assert(status.byte.b3 == 0); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, low, 0);
    pthread_create(&b, 0, high, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(status.whole == 0x00ff1234); // UNKNOWN (members that overlap)
    return 0;
}
