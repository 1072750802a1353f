// Mixed widths: short arithmetic is done in int, long long holds a product of two ints.
#include <pthread.h>
#include <assert.h>

short shared_short = 32000;

void *bump(void *unused) {
    shared_short = shared_short + 900;
    return 0;
}

int main(void) {
    pthread_t t;
    int big = 100000;
    long long product = (long long)big * big;
    short s = 32767;
    int sum = s + 1;
    pthread_create(&t, 0, bump, 0);
    assert(product == 10000000000LL); // SAFE
    assert(sum == 32768); // SAFE
    assert(sizeof(short) == 2); // SAFE
    assert(shared_short <= 32767); // SAFE
    assert(shared_short >= 0); // UNSAFE!
    return 0;
}
