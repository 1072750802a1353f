/* Four writers count themselves; only the fourth one finds all the others gone. */
#include <assert.h>
#include <pthread.h>

#ifndef WRITERS
#define WRITERS 4
#endif

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int gone;

static void *writer(void *unused) {
    int mine;
    __VERIFIER_atomic_begin();
    gone++;
    mine = gone;
    __VERIFIER_atomic_end();
    assert(mine < 4); /* UNSAFE! with four writers; SAFE with three */
    return 0;
}

int main(void) {
    pthread_t threads[WRITERS];
    for (int i = 0; i < WRITERS; i++)
        pthread_create(&threads[i], 0, writer, 0);
    return 0;
}
