// call_once, and data that each thread has for itself.
#include <threads.h>
#include <assert.h>
#include <stdlib.h>

once_flag flag = ONCE_FLAG_INIT;
tss_t key;
int ready, mine = 1, other = 2;

static void prepare(void) {
    ready = 1;
    tss_create(&key, 0);
}

int worker(void *unused) {
    call_once(&flag, prepare);
    assert(ready == 1); // SAFE (needs refinement)
    tss_set(key, &mine);
    int *found = tss_get(key);
    if (found == &mine) assert(*found == 1); // SAFE
    assert(found != &other); // SAFE
    return 0;
}

int main(void) {
    thrd_t a, b;
    assert(ready == 0); // SAFE
    if (thrd_create(&a, worker, 0)) exit(1);
    if (thrd_create(&b, worker, 0)) exit(1);
    __goblint_check(ready == 0); // UNSAFE!
    return 0;
}
