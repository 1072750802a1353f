// A busy flag that is tested and set in two steps lets two threads in; the atomic one does not.
#include <pthread.h>
#include <assert.h>

int busy, racy_busy;
int cell, racy_cell;

void *visitor(void *unused) {
    if (__sync_lock_test_and_set(&busy, 1) == 0) {
        cell = 9;
        assert(cell == 9); // SAFE
        cell = 0;
        __sync_lock_release(&busy);
    }
    if (racy_busy == 0) {
        racy_busy = 1;
        racy_cell = 9;
        assert(racy_cell == 9); // UNSAFE!
        racy_cell = 0;
        racy_busy = 0;
    }
    assert(racy_cell <= 9); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, visitor, 0);
    pthread_create(&b, 0, visitor, 0);
    return 0;
}
