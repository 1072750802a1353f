// ARGS: --properties assertion,array-bounds
// A ring of DMA descriptors: the driver fills those it owns, the device gives them back.
#include <pthread.h>
#include <assert.h>

#define RING 4
struct descriptor { int owned_by_device; int length; };
static struct descriptor ring[RING];
static volatile int kick;

static void *driver(void *unused) {
    int at = 0;
    for (int i = 0; i < 6; i++) {
        if (ring[at].owned_by_device) continue; // SAFE
        ring[at].length = 64; // SAFE
        ring[at].owned_by_device = 1; // SAFE
        kick = 1;
        at = (at + 1) % RING;
        assert(at >= 0 && at < RING); // SAFE
    }
    return 0;
}

static void *device(void *unused) {
    int at = 0;
    while (1) {
        if (!kick) continue;
        kick = 0;
        for (int n = 0; n < RING; n++) {
            struct descriptor *d = &ring[at]; // SAFE
            if (!d->owned_by_device) break;
            int length = d->length;
            assert(length <= 64); // SAFE
            assert(length == 64); // UNKNOWN (which element was filled)
            d->owned_by_device = 0;
            at = at + 1 == RING ? 0 : at + 1;
        }
        assert(kick == 0); // UNSAFE!
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&b, 0, device, 0);
    pthread_create(&a, 0, driver, 0);
    pthread_join(a, 0);
    return 0;
}
