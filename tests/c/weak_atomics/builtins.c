// The built-in functions of compilers, with sizes and without.
#include <pthread.h>
#include <assert.h>

int lock, guarded, count;
long wide;

void *worker(void *unused) {
    while (__sync_lock_test_and_set(&lock, 1)) { }
    guarded = 1;
    assert(guarded == 1); // SAFE
    guarded = 0;
    __sync_lock_release(&lock);
    int before = __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
    assert(before >= 0); // UNKNOWN (needs counting)
    __goblint_check(before == 0); // UNSAFE!
    __sync_fetch_and_add_8(&wide, 2);
    int expected = 1, wanted = 9, found;
    if (__atomic_compare_exchange_n(&count, &expected, 10, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
        assert(expected == 1); // SAFE
    } else {
        assert(expected != 1); // UNKNOWN (what is only unequal has no interval)
    }
    __atomic_exchange(&count, &wanted, &found, __ATOMIC_SEQ_CST);
    assert(wanted == 9); // SAFE
    __sync_synchronize();
    __goblint_check(found == 1); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    return 0;
}
