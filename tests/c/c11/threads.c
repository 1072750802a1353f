// C11 threads: mutexes, conditions, results of threads.
#include <threads.h>
#include <assert.h>
#include <stdlib.h>

mtx_t lock;
cnd_t filled;
int slot, loose;

int producer(void *unused) {
    mtx_lock(&lock);
    slot = 4;
    assert(slot == 4); // SAFE
    cnd_signal(&filled);
    mtx_unlock(&lock);
    loose = 1;
    return 12;
}

int consumer(void *unused) {
    mtx_lock(&lock);
    while (slot == 0) cnd_wait(&filled, &lock);
    assert(slot == 4); // SAFE
    __goblint_check(loose == 1); // UNSAFE!
    mtx_unlock(&lock);
    if (mtx_trylock(&lock) == thrd_success) {
        assert(slot == 4); // SAFE
        mtx_unlock(&lock);
    }
    return 1;
}

int main(void) {
    thrd_t p, c;
    int result = 0;
    mtx_init(&lock, mtx_plain);
    cnd_init(&filled);
    if (thrd_create(&p, producer, 0) != thrd_success) exit(1);
    if (thrd_create(&c, consumer, 0) != thrd_success) exit(1);
    thrd_join(p, &result);
    assert(result == 12); // SAFE (needs refinement)
    assert(loose == 1); // SAFE (needs refinement)
    thrd_join(c, &result);
    __goblint_check(result == 12); // UNSAFE!
    return 0;
}
