// Two keys of C11: what is kept under one does not show under the other, nor in another thread.
#include <assert.h>
#include <threads.h>

static tss_t name, number;
static char first_name, second_name;
static int numbers[2] = {11, 22};

static int worker(void *which) {
    int *mine = which;
    int is_first = mine == &numbers[0];
    assert(tss_get(name) == 0 && tss_get(number) == 0); // SAFE
    if (tss_set(name, is_first ? &first_name : &second_name) != thrd_success)
        return 1;
    assert(tss_get(number) == 0); // SAFE
    if (tss_set(number, mine) != thrd_success)
        return 1;
    thrd_yield();
    int *found = tss_get(number);
    assert(found == mine); // SAFE
    assert(*found == 11 || *found == 22); // SAFE
    if (is_first)
        assert(tss_get(name) == &first_name); // SAFE
    return 0;
}

int main(void) {
    thrd_t a, b;
    if (tss_create(&name, 0) != thrd_success || tss_create(&number, 0) != thrd_success)
        return 1;
    thrd_create(&a, worker, &numbers[0]);
    thrd_create(&b, worker, &numbers[1]);
    thrd_join(a, 0);
    thrd_join(b, 0);
    assert(tss_get(name) == 0); // SAFE
    return 0;
}
