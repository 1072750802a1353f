// Thread-local settings (C11) that start from a default and are put back; a global default is changed under a lock.
#include <assert.h>
#include <pthread.h>
#include <threads.h>

static tss_t current;
static mtx_t lock;
static int defaults[2] = { 1, 2 };
static int switches;
static _Thread_local int own_switches;

static int *use(int *to) {
    int *old = tss_get(current);
    tss_set(current, to);
    own_switches++;
    mtx_lock(&lock);
    switches++;
    assert(own_switches <= switches); // SAFE
    mtx_unlock(&lock);
    return old;
}

static int worker(void *arg) {
    int own = 5;
    assert(tss_get(current) == 0); // SAFE
    int *old = use(&defaults[0]);
    assert(old == 0); // SAFE
    old = use(&own);
    assert(old == &defaults[0]); // SAFE
    assert(*(int *)tss_get(current) == 5); // SAFE
    use(old);
    assert(*(int *)tss_get(current) == 1); // SAFE
    assert(own_switches == 3); // SAFE
    return own_switches;
}

int main(void) {
    thrd_t a, b;
    int x, y;
    mtx_init(&lock, mtx_plain);
    if (tss_create(&current, 0) != thrd_success)
        return 1;
    use(&defaults[1]);
    if (thrd_create(&a, worker, 0) != thrd_success)
        return 1;
    if (thrd_create(&b, worker, 0) != thrd_success)
        return 1;
    thrd_join(a, &x);
    thrd_join(b, &y);
    assert(x == 3 && y == 3); // SAFE
    assert(switches == x + y + 1); // SAFE
    assert(own_switches == 1); // SAFE
    assert(*(int *)tss_get(current) == 2); // SAFE
    assert(*(int *)tss_get(current) == 1); // UNSAFE!
    return 0;
}
