// Spin locks by compare and exchange: the value that is expected has to be set anew each time.
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

atomic_int taken, forgotten;
int balance, stock;

void take(atomic_int *lock) {
    int expected;
    do expected = 0;
    while (!atomic_compare_exchange_weak(lock, &expected, 1));
}

void *teller(void *unused) {
    for (int i = 1; i <= 50; i++) {
        take(&taken);
        balance = i;
        assert(balance == i); // SAFE
        balance = 0;
        atomic_store(&taken, 0);
    }
    return 0;
}

void *keeper(void *unused) {
    int expected = 0;
    // After a failure `expected` is 1, which is what the lock holds while it is taken.
    while (!atomic_compare_exchange_strong(&forgotten, &expected, 1)) ;
    stock = 7;
    assert(stock == 7); // UNSAFE!
    stock = 0;
    atomic_store(&forgotten, 0);
    return 0;
}

int main(void) {
    pthread_t a, b, c, d;
    pthread_create(&a, 0, teller, 0);
    pthread_create(&b, 0, teller, 0);
    pthread_create(&c, 0, keeper, 0);
    pthread_create(&d, 0, keeper, 0);
    take(&taken);
    assert(balance == 0); // SAFE
    atomic_store(&taken, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    pthread_join(d, 0);
    assert(balance == 0); // SAFE
    return 0;
}
