// A function whose name makes it atomic, with an early return.
#include <pthread.h>
#include <assert.h>

int seats = 3;

int __VERIFIER_atomic_reserve(void) {
    if (seats <= 0) return -1;
    seats = seats - 1;
    return seats;
}

void *customer(void *unused) {
    while (1) {
        int left = __VERIFIER_atomic_reserve();
        assert(left >= -1); // SAFE
        assert(left <= 2); // SAFE
        assert(left >= 0); // UNSAFE!
        if (left < 0) break;
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, customer, 0);
    pthread_create(&b, 0, customer, 0);
    assert(seats >= 0); // SAFE
    assert(seats <= 3); // SAFE
    return 0;
}
