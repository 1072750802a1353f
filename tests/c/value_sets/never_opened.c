// The gate opens at 2 only, and nobody sets 2: what lies behind it does not disturb.
#include <pthread.h>
#include <assert.h>

int gate, data;

void *closer(void *unused) {
    gate = 3;
    gate = 1;
    return 0;
}

void *intruder(void *unused) {
    if (gate == 2)
        data = 7;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, closer, 0);
    pthread_create(&b, 0, intruder, 0);
    assert(data == 0); // SAFE
    assert(gate != 2); // SAFE
    assert(gate != 3); // UNSAFE!
    return 0;
}
