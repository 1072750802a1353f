// A lock of one's own: an exchange of an atomic word, tried until the word was free. Inside of it a pair is kept equal.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef atomic_int spin;

static void spin_acquire(spin *s) {
    while (atomic_exchange(s, 1) != 0)
        ;
}

static void spin_release(spin *s) {
    atomic_store(s, 0);
}

static spin guard;
static int head, mirror;

static void *pusher(void *unused) {
    for (int i = 0; i < 10; i++) {
        spin_acquire(&guard);
        head++;
        mirror++;
        assert(head == mirror); // SAFE
        spin_release(&guard);
    }
    return 0;
}

static void *popper(void *unused) {
    spin_acquire(&guard);
    if (head > 0) {
        mirror--;
        head--;
    }
    assert(head >= 0 && mirror >= 0); // SAFE
    spin_release(&guard);
    return 0;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) {
        pthread_create(&t, 0, pusher, 0);
        pthread_create(&t, 0, popper, 0);
    }
    spin_acquire(&guard);
    assert(head - mirror == 0); // SAFE
    spin_release(&guard);
    return 0;
}
