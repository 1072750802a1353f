/* Five guests take seats; how many are taken at a time is at most the number of guests, and that many can be. */
#include <assert.h>
#include <pthread.h>

#ifndef MOST
#define MOST 5
#endif

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int taken;

static void *guest(void *unused) {
    __VERIFIER_atomic_begin();
    taken++;
    __VERIFIER_atomic_end();
    assert(taken <= MOST); /* SAFE for 5 and more: it holds for no number of guests but this one and smaller ones */
    __VERIFIER_atomic_begin();
    taken--;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t threads[5];
    for (int i = 0; i < 5; i++)
        pthread_create(&threads[i], 0, guest, 0);
    return 0;
}
