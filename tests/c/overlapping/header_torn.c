// As header.c, but the fields are stored one by one.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static union {
    uint32_t word;
    struct { uint16_t length; uint8_t version, flags; } f;
} latest;

static void *writer(void *unused) {
    latest.f.version = 2;
    latest.f.length = 40;
    return 0;
}

static void *reader(void *unused) {
    uint32_t word = latest.word;
    assert((word >> 24) == 0); // SAFE
    assert(word == 0 || word == 0x20028); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    return 0;
}
