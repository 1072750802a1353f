// The highest of what any thread has seen, by compare and exchange: it is never lowered, whoever looks.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int highest;
static atomic_int latest;

static void *observe(void *unused) {
    int value = rand() % 100;
    int known = atomic_load(&highest);
    while (known < value && !atomic_compare_exchange_weak(&highest, &known, value))
        ;
    assert(atomic_load(&highest) >= value); // SAFE
    int last = atomic_load(&latest);
    atomic_compare_exchange_strong(&latest, &last, value);
    __goblint_check(atomic_load(&latest) >= last); // UNSAFE!
    return unused;
}

static void *watch(void *unused) {
    int before = atomic_load(&highest);
    int after = atomic_load(&highest);
    assert(before <= after); // SAFE
    assert(after - before <= 99); // SAFE
    return unused;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 20; i++) {
        pthread_create(&t, 0, observe, 0);
        pthread_create(&t, 0, watch, 0);
    }
    return 0;
}
