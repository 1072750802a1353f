// ARGS: --properties assertion,data-race
// A device register seen as a word and as its fields, under the lock of the device.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

union reg {
    uint32_t word;
    struct { uint8_t status, mode; uint16_t count; } f;
};
static union reg r; // SAFE
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *tick(void *arg) {
    for (int i = 0; i < 10; i++) {
        pthread_mutex_lock(&m);
        r.f.count++;
        r.f.status = 1;
        assert((r.word & 0xff) == 1); // SAFE
        pthread_mutex_unlock(&m);
    }
    return 0;
}

static void *reset(void *arg) {
    pthread_mutex_lock(&m);
    r.word = 0x00050302;
    assert(r.f.status == 2); // SAFE
    assert(r.f.mode == 3); // SAFE
    assert(r.f.count == 5); // SAFE
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, tick, 0);
    pthread_create(&b, 0, reset, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(r.f.mode == 3); // SAFE
    assert(r.f.count >= 5); // UNKNOWN (members that overlap)
    assert(r.f.count <= 15); // UNKNOWN (members that overlap)
    assert(r.f.count == 15); // UNSAFE!
    return 0;
}
