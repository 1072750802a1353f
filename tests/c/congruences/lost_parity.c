// Without the lock the two halves of a step come apart; the parity is lost, the multiple of three is not.
#include <pthread.h>
#include <assert.h>

int count;

void *stepper(void *unused) {
    count = count + 3;
    count = count + 3;
    return 0;
}

int main(void) {
    pthread_t a, b;
    int now;
    pthread_create(&a, 0, stepper, 0);
    pthread_create(&b, 0, stepper, 0);
    now = count;
    assert(now % 3 == 0); // SAFE
    assert(now % 6 == 0); // UNSAFE!
    return 0;
}
