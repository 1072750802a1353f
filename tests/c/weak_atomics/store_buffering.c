// Dekker's test with weak orders: what is proved holds under the assumption that names these lines.
#include <stdatomic.h>
#include <pthread.h>
#include <assert.h>

atomic_int x, y;
int both, left_first;

void *left(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    if (atomic_load_explicit(&y, memory_order_relaxed) == 0) {
        assert(x == 1); // SAFE
        left_first = 1;
    }
    return 0;
}

void *right(void *unused) {
    atomic_store_explicit(&y, 1, memory_order_release);
    if (atomic_load_explicit(&x, memory_order_acquire) == 0) {
        both = 1;
        assert(left_first == 0); // SAFE (needs refinement)
    }
    assert(left_first == 0); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    return 0;
}
