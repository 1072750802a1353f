// As flag_lock.c, but one thread does not look whether the flag was set.
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

atomic_flag busy = ATOMIC_FLAG_INIT;
int filled, empty = 8;

void *producer(void *unused) {
    while (atomic_flag_test_and_set(&busy))
        ;
    if (empty > 0) {
        empty--;
        filled++;
    }
    assert(filled + empty == 8); // UNSAFE!
    atomic_flag_clear(&busy);
    return 0;
}

void *careless(void *unused) {
    atomic_flag_test_and_set(&busy);
    if (filled > 0) {
        filled--;
        empty++;
    }
    atomic_flag_clear(&busy);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, careless, 0);
    return 0;
}
