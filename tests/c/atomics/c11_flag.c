// atomic_flag and the explicit C11 operations.
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

atomic_flag gate = ATOMIC_FLAG_INIT;
_Atomic int visits;
int hall;

void *visitor(void *unused) {
    int earlier;
    while (atomic_flag_test_and_set(&gate)) ;
    hall = 1;
    assert(hall == 1); // SAFE
    hall = 0;
    atomic_flag_clear(&gate);
    earlier = atomic_fetch_add_explicit(&visits, 1, memory_order_relaxed);
    assert(earlier >= 0); // SAFE
    assert(earlier == 0); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, visitor, 0);
    pthread_create(&b, 0, visitor, 0);
    return 0;
}
