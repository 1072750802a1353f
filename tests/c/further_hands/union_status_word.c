// A status word of 32 bits is written whole and read by its parts.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

union status {
    uint32_t whole;
    struct {
        uint8_t kind;
        uint8_t level;
        uint16_t count;
    } part; // little endian
};

static union status shared;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *raise(void *unused) {
    pthread_mutex_lock(&m);
    union status s = shared;
    if (s.part.count < 100)
        s.part.count++;
    s.part.kind = 3;
    s.part.level = s.part.count > 10 ? 2 : 1;
    shared.whole = s.whole;
    assert(shared.part.kind == 3); // SAFE
    assert(shared.part.level == 1 || shared.part.level == 2); // SAFE
    pthread_mutex_unlock(&m);
    return unused;
}

static void *clear(void *unused) {
    pthread_mutex_lock(&m);
    shared.whole &= 0x0000ffffu; // the count
    assert(shared.part.count == 0); // SAFE
    pthread_mutex_unlock(&m);
    return unused;
}

static void *look(void *unused) {
    pthread_mutex_lock(&m);
    assert(shared.part.count <= 100); // SAFE
    assert(shared.part.kind == 0 || shared.part.kind == 3); // SAFE
    assert(shared.whole == 0 || shared.part.kind == 3); // UNKNOWN (cases by a whole word and its parts)
    assert(shared.part.count > 0 || shared.whole == 0); // UNSAFE!
    uint32_t word = shared.whole;
    pthread_mutex_unlock(&m);
    assert((word & 0xff) <= 3); // SAFE
    assert(word >> 16 <= 100); // SAFE
    return unused;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 3; i++) {
        pthread_create(&t, 0, raise, 0);
        pthread_create(&t, 0, clear, 0);
        pthread_create(&t, 0, look, 0);
    }
    return 0;
}
