// ARGS: --properties assertion
// Counters that are compared and exchanged, one of them up to a limit that is never reached.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint plain;
static _Atomic unsigned char limited;
static atomic_int lossy;

static void *count(void *unused) {
    for (int i = 0; i < 20; i++) {
        unsigned old = atomic_load(&plain);
        while (!atomic_compare_exchange_weak(&plain, &old, old + 1))
            ;
        unsigned char h = atomic_load(&limited);
        while (h < 255 && !atomic_compare_exchange_weak(&limited, &h, h + 1))
            ;
        int seen = atomic_load(&lossy);
        atomic_compare_exchange_strong(&lossy, &seen, seen + 1);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, count, 0);
    pthread_create(&b, 0, count, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(plain == 40); // SAFE
    assert(limited == 40); // SAFE
    assert(lossy <= 40); // SAFE
    assert(lossy >= 40); // UNSAFE!
    return 0;
}
