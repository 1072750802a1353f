// Only one side waits, so the other may still run ahead.
#include <pthread.h>
#include <assert.h>

int arrived;
int left_value, right_value;

void *left(void *unused) {
    left_value = 4;
    arrived = 1;
    right_value = 4;
    return 0;
}

void *right(void *unused) {
    right_value = 8;
    assert(right_value == 8); // UNSAFE!
    while (arrived == 0) ;
    left_value = 8;
    assert(left_value == 8); // SAFE
    assert(right_value != 0); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    return 0;
}
