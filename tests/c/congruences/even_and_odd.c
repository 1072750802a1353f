// Tickets of one thread are odd and those of the other even, so they never meet.
#include <pthread.h>
#include <assert.h>

int even, odd = 1;

void *evens(void *unused) {
    int i;
    for (i = 0; i < 40; i++)
        even = even + 2;
    return 0;
}

void *odds(void *unused) {
    int i;
    for (i = 0; i < 40; i++)
        odd = odd + 2;
    return 0;
}

int main(void) {
    pthread_t a, b;
    int left, right;
    pthread_create(&a, 0, evens, 0);
    pthread_create(&b, 0, odds, 0);
    left = even;
    right = odd;
    assert(left != right); // SAFE
    assert(left != 3); // SAFE
    assert(left < right); // UNSAFE!
    return 0;
}
