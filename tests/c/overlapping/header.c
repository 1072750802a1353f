// A packet's header as fields and as a whole word that is stored atomically: readers take the word apart again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

union header {
    uint64_t word;
    struct {
        uint16_t length;
        uint8_t version;
        uint8_t flags;
        uint32_t sequence;
    } f;
};

static _Atomic uint64_t latest;

static void *writer(void *unused) {
    union header h = {.word = 0};
    h.f.version = 2;
    h.f.length = 40;
    assert(h.word == 0x20028); // SAFE
    atomic_store(&latest, h.word);
    return 0;
}

static void *reader(void *unused) {
    union header h;
    h.word = atomic_load(&latest);
    assert(h.f.length == 40 || h.f.length == 0); // SAFE
    if (h.f.version == 2)
        assert(h.f.length == 40); // SAFE
    assert(h.f.sequence == 0); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    return 0;
}
