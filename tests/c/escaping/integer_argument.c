// A number is passed as the pointer argument itself.
#include <pthread.h>
#include <assert.h>

int total;

void *add(void *argument) {
    long amount = (long)argument;
    assert(amount >= 1); // SAFE
    assert(amount <= 7); // SAFE
    assert(amount == 1); // UNSAFE!
    total = 1;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, (void *)1L);
    pthread_create(&b, 0, add, (void *)7L);
    assert(total <= 1); // SAFE
    return 0;
}
