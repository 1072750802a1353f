// A lock of three states (free, taken, taken and waited for), as those on futexes are made, without the sleeping.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int word; // 0 free, 1 taken, 2 taken and somebody waits
static int balance = 100, owed;
static int inside;

static void lock(void) {
    int expected = 0;
    if (atomic_compare_exchange_strong(&word, &expected, 1))
        return;
    while (atomic_exchange(&word, 2) != 0)
        ;
}

static void unlock(void) {
    if (atomic_exchange(&word, 0) == 2) {
        /* here the kernel would be asked to wake somebody */
    }
}

static void *borrow(void *unused) {
    for (int i = 0; i < 3; i++) {
        lock();
        inside++;
        assert(inside == 1); // SAFE
        if (balance >= 7) {
            balance -= 7;
            owed += 7;
        }
        assert(balance + owed == 100); // SAFE
        assert(balance >= 2); // SAFE
        inside--;
        unlock();
    }
    return unused;
}

static void *give_back(void *unused) {
    lock();
    balance += owed;
    assert(balance == 100); // SAFE
    owed = 0;
    assert(word == 1); // UNSAFE!
    assert(word != 0); // SAFE
    unlock();
    assert(balance == 100); // UNSAFE!
    return unused;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, borrow, 0);
    pthread_create(&b, 0, borrow, 0);
    pthread_create(&c, 0, give_back, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(word == 0); // SAFE
    return 0;
}
