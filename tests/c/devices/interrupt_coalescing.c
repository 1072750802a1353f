// Interrupts are counted and acknowledged in bulk; the handler may run between reading and clearing.
#include <pthread.h>
#include <assert.h>

static int pending, acknowledged, masked;

static void *hardware(void *unused) {
    for (int i = 0; i < 5; i++)
        if (!masked && pending < 8) __sync_fetch_and_add(&pending, 1);
    return 0;
}

static void *handler(void *unused) {
    for (int i = 0; i < 3; i++) {
        int count;
        masked = 1;
        count = __sync_lock_test_and_set(&pending, 0);
        assert(count >= 0); // SAFE
        assert(count <= 8); // SAFE
        assert(pending == 0); // UNSAFE!
        acknowledged = count;
        masked = 0;
    }
    assert(acknowledged <= 8); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, hardware, 0);
    pthread_create(&b, 0, handler, 0);
    pthread_join(b, 0);
    assert(masked == 0); // SAFE
    assert(acknowledged == 0); // UNSAFE!
    return 0;
}
