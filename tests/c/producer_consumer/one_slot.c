// A one-place buffer guarded by a "full" flag, with a second consumer that does not respect it.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
volatile int full;
int slot;

void *producer(void *unused) {
    while (1) {
        int item = __VERIFIER_nondet_int();
        if (item < 1 || item > 10) continue;
        while (full) ;
        slot = item;
        assert(slot >= 1); // SAFE
        full = 1;
    }
    return 0;
}

void *consumer(void *unused) {
    while (1) {
        int item;
        while (!full) ;
        item = slot;
        assert(item >= 0); // SAFE
        assert(item <= 10); // SAFE
        assert(item >= 1); // SAFE (needs refinement)
        full = 0;
    }
    return 0;
}

void *impatient(void *unused) {
    int item = slot;
    assert(item >= 1); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_create(&c, 0, impatient, 0);
    pthread_join(a, 0);
    return 0;
}
