// Atomic objects of several types, and every kind of operation on them.
#include <stdatomic.h>
#include <pthread.h>
#include <assert.h>

atomic_int count = ATOMIC_VAR_INIT(0);
_Atomic unsigned char small;
atomic_bool flag;
atomic_flag gate = ATOMIC_FLAG_INIT;
int guarded, plain;

void *worker(void *unused) {
    count += 1;
    plain = plain + 1;
    atomic_fetch_sub(&count, 1);
    assert(count >= 0); // SAFE
    while (atomic_flag_test_and_set(&gate)) { }
    guarded = 1;
    assert(guarded == 1); // SAFE
    guarded = 0;
    atomic_flag_clear(&gate);
    small |= 3;
    assert(small <= 3); // SAFE
    int expected = 0;
    _Bool taken = 0;
    if (atomic_compare_exchange_strong(&flag, (_Bool *)&taken, 1)) {
        expected = 1;
    }
    atomic_thread_fence(memory_order_seq_cst);
    assert(flag == 1); // SAFE
    assert(expected == 1); // UNSAFE!
    assert(plain == 1); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    return 0;
}
