// A local of main whose address goes to the thread.
#include <pthread.h>
#include <assert.h>

void *compute(void *slot) {
    int own = 3;
    *(int *)slot = own + 1;
    assert(own == 3); // SAFE
    return 0;
}

int main(void) {
    pthread_t t;
    int result = 0, unrelated = 8;
    pthread_create(&t, 0, compute, &result);
    assert(result == 0); // UNSAFE!
    assert(unrelated == 8); // SAFE
    pthread_join(t, 0);
    assert(result >= 0); // SAFE
    assert(result <= 4); // SAFE
    assert(result == 4); // SAFE (needs refinement)
    return 0;
}
