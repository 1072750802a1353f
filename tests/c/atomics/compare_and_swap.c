// Ownership by compare-and-swap from 0 to one's own number.
#include <pthread.h>
#include <assert.h>

int owner;
int data;

void *one(void *unused) {
    if (__sync_bool_compare_and_swap(&owner, 0, 1)) {
        data = 100;
        assert(data == 100); // SAFE
        assert(owner == 1); // SAFE
        data = 0;
        owner = 0;
    }
    return 0;
}

void *two(void *unused) {
    if (__sync_bool_compare_and_swap(&owner, 0, 2)) {
        data = 200;
        assert(data == 200); // SAFE
        data = 0;
        owner = 0;
    } else {
        assert(owner == 1); // UNSAFE!
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    assert(owner <= 2); // SAFE
    return 0;
}
