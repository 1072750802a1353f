// C11 thread-specific storage: an error code of each thread, held as a pointer to a static slot of the thread.
#include <assert.h>
#include <threads.h>

enum { OK, AGAIN, BROKEN };

static tss_t slot;
static _Thread_local int code;
static _Thread_local int calls;

static void set_error(int e) {
    code = e;
    tss_set(slot, &code);
}

static int last_error(void) {
    int *p = tss_get(slot);
    return p ? *p : OK;
}

static int attempt(int n) {
    calls++;
    if (n % 3 == 1) {
        set_error(AGAIN);
        return -1;
    }
    if (n % 3 == 2) {
        set_error(BROKEN);
        return -1;
    }
    return n;
}

static int worker(void *arg) {
    int failures = 0;
    assert(last_error() == OK); // SAFE
    for (int i = 0; i < 5; i++)
        if (attempt(i) < 0) {
            failures++;
            assert(last_error() != OK); // SAFE
        }
    assert(last_error() == AGAIN); // SAFE
    assert(failures == 3); // SAFE
    assert(calls == 5); // SAFE
    return failures;
}

int main(void) {
    thrd_t a, b;
    int x, y;
    if (tss_create(&slot, NULL) != thrd_success)
        return 1;
    thrd_create(&a, worker, 0);
    thrd_create(&b, worker, 0);
    assert(tss_get(slot) == NULL); // SAFE
    set_error(BROKEN);
    thrd_join(a, &x);
    thrd_join(b, &y);
    assert(last_error() == BROKEN); // SAFE
    assert(x + y == 6); // SAFE
    assert(calls == 0); // SAFE
    tss_delete(slot);
    return 0;
}
