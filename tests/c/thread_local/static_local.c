// A static local is one cell for all threads; an automatic one is not.
#include <pthread.h>
#include <assert.h>

static int count_calls(void) {
    static int calls = 0;
    int automatic = 0;
    calls = 1 - calls;
    automatic = automatic + 1;
    assert(automatic == 1); // SAFE
    return calls;
}

void *caller(void *unused) {
    int value = count_calls();
    assert(value == 1); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    static int untouched = 3;
    pthread_create(&a, 0, caller, 0);
    pthread_create(&b, 0, caller, 0);
    assert(untouched == 3); // SAFE
    return 0;
}
