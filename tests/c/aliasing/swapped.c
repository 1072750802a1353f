// Writing through parameters: the callee's two pointers may be the same cell.
#include <pthread.h>
#include <assert.h>

int first = 1, second = 2;

static void set_both(int *p, int *q) {
    *p = 10;
    *q = 20;
}

void *reader(void *unused) {
    assert(first >= 1); // SAFE
    assert(second <= 20); // SAFE
    assert(first != 20); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    set_both(&first, &second);
    assert(second == 20); // SAFE
    set_both(&first, &first);
    assert(first == 20); // SAFE
    assert(first == 10); // UNSAFE!
    return 0;
}
