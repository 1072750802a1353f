// A record goes through a queue of bytes: fields are packed one behind the other and unpacked by the reader.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

struct record { uint16_t id; int16_t delta; uint32_t stamp; };
static uint8_t wire[8];
static int is_full;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *pack(void *unused) {
    struct record r = {.id = 515, .delta = -2, .stamp = 70000};
    pthread_mutex_lock(&lock);
    memcpy(wire, &r, sizeof r);
    is_full = 1;
    assert(wire[0] == 3 && wire[1] == 2); // SAFE
    assert(wire[2] == 254); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *unpack(void *unused) {
    struct record r;
    uint16_t swapped;
    pthread_mutex_lock(&lock);
    memcpy(&r, wire, sizeof r);
    memcpy(&swapped, wire + 1, sizeof swapped);
    int full = is_full;
    pthread_mutex_unlock(&lock);
    assert(r.id == 515 || r.id == 0); // SAFE
    assert(r.delta == -2 || r.delta == 0); // SAFE
    assert(r.stamp <= 70000); // SAFE
    assert(swapped == 0 || swapped == 0xfe02); // SAFE
    __goblint_check(!full || r.delta == 0); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, pack, 0);
    pthread_create(&b, 0, unpack, 0);
    return 0;
}
