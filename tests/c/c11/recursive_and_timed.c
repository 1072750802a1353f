// The kinds of C11 mutexes, and what their functions return.
#include <threads.h>
#include <time.h>
#include <assert.h>

mtx_t again, timed;
struct timespec soon;
int value, other;

int worker(void *unused) {
    mtx_lock(&again);
    value = 1;
    mtx_lock(&again);
    mtx_unlock(&again);
    assert(value == 1); // SAFE
    value = 0;
    mtx_unlock(&again);
    int result = mtx_timedlock(&timed, &soon);
    if (result == thrd_success) {
        other = 2;
        assert(other == 2); // SAFE
        result = mtx_trylock(&timed);
        assert(result == thrd_busy); // SAFE
        other = 0;
        mtx_unlock(&timed);
    } else {
        assert(result != thrd_timedout); // UNSAFE!
    }
    return 0;
}

int main(void) {
    thrd_t a, b;
    mtx_init(&again, mtx_plain | mtx_recursive);
    mtx_init(&timed, mtx_timed);
    thrd_create(&a, worker, 0);
    thrd_create(&b, worker, 0);
    return 0;
}
