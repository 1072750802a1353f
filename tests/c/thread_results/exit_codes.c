// Numbers as results of C11 threads: a worker says how it went, and main acts on it.
#include <assert.h>
#include <threads.h>

enum { DONE, PARTLY, FAILED };
extern int __VERIFIER_nondet_int(void);
static int written;

static int save(void *unused) {
    int room = __VERIFIER_nondet_int();
    if (room <= 0)
        return FAILED;
    if (room < 100) {
        written = room;
        return PARTLY;
    }
    written = 100;
    return DONE;
}

int main(void) {
    thrd_t t;
    int result = -1;
    if (thrd_create(&t, save, 0) != thrd_success)
        return 1;
    if (thrd_join(t, &result) != thrd_success)
        return 1;
    assert(result >= DONE && result <= FAILED); // SAFE
    if (result == DONE)
        assert(written == 100); // SAFE
    if (result == PARTLY)
        assert(written > 0 && written < 100); // SAFE
    if (result == FAILED)
        assert(written == 0); // SAFE
    return 0;
}
