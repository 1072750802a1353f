/* Eight clients, each with the address of its own number, share one cell while one of them at a time has the flag. */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int busy, cell;

static void *client(void *argument) {
    int number = *(int *)argument, mine = 0;
    __VERIFIER_atomic_begin();
    if (busy == 0) {
        busy = 1;
        mine = 1;
    }
    __VERIFIER_atomic_end();
    if (mine == 1) {
        cell = 3 * number + 1;
#ifdef BUG
        busy = 0;
#endif
        assert(cell == 3 * number + 1); /* SAFE; with BUG a second client may come in */
        busy = 0;
    }
    return 0;
}

int main(void) {
    pthread_t threads[8];
    static int ids[8];
    for (int i = 0; i < 8; i++) {
        ids[i] = i;
        pthread_create(&threads[i], 0, client, &ids[i]);
    }
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], 0);
    return 0;
}
