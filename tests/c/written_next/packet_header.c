// ARGS: --properties assertion,array-bounds
// Packets are made field by field and sent as bytes; one thread numbers them, one checks what arrives.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#define PACKETS 3
union header {
    struct {
        uint8_t version, kind;
        uint16_t length;
        uint32_t number;
    } field;
    uint8_t bytes[8];
    uint32_t words[2];
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static union header wire;
static int is_full, sent, received;

static union header made(uint8_t kind, uint16_t length, uint32_t number) {
    union header h;
    memset(&h, 0, sizeof h);
    h.field.version = 4;
    h.field.kind = kind;
    h.field.length = length;
    h.field.number = number;
    assert(h.bytes[0] == 4); // SAFE
    assert(h.bytes[1] == kind); // SAFE
    assert(h.words[1] == number); // SAFE
    assert(h.bytes[2] == (length & 0xff)); // SAFE
    assert((h.words[0] >> 16) == length); // SAFE
    return h;
}

static void *sender(void *unused) {
    for (int i = 0; i < PACKETS; i++) {
        union header h = made(i == 0 ? 1 : 2, 100 + i, i);
        pthread_mutex_lock(&lock);
        while (is_full)
            pthread_cond_wait(&change, &lock);
        assert(sent == received); // SAFE
        wire = h;
        is_full = 1;
        sent++;
        assert(wire.field.number == (uint32_t)(sent - 1)); // SAFE
        pthread_cond_signal(&change);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *receiver(void *unused) {
    int bytes = 0;
    for (int i = 0; i < PACKETS; i++) {
        pthread_mutex_lock(&lock);
        while (!is_full)
            pthread_cond_wait(&change, &lock);
        assert(sent == received + 1); // SAFE
        union header h = wire;
        is_full = 0;
        received++;
        pthread_cond_signal(&change);
        pthread_mutex_unlock(&lock);
        assert(h.bytes[0] == 4); // SAFE
        assert(h.field.kind == 1 || h.field.kind == 2); // SAFE
        assert(h.field.length >= 100 && h.field.length < 100 + PACKETS); // SAFE
        assert(h.bytes[3] == 0); // SAFE
        assert(h.words[1] < PACKETS); // SAFE
        assert(h.words[1] == (uint32_t)i); // UNKNOWN (the round of a loop of another thread)
        int low = h.bytes[2]; // SAFE
        __goblint_check(low == 100); // UNSAFE!
        bytes += h.field.length;
        assert(bytes <= (i + 1) * 102); // SAFE
    }
    __goblint_check(bytes == 300); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t s, r;
    pthread_create(&s, 0, sender, 0);
    pthread_create(&r, 0, receiver, 0);
    pthread_join(s, 0);
    pthread_join(r, 0);
    assert(sent == PACKETS); // SAFE
    assert(received == PACKETS); // SAFE
    assert(!is_full); // SAFE
    assert(wire.field.kind == 2); // SAFE
    return 0;
}
