// Each thread has its own copy of a thread-local cell, initialised anew.
#include <pthread.h>
#include <assert.h>

__thread int depth = 1;
_Thread_local int mark;
int shared_depth = 1;

void *walker(void *unused) {
    assert(depth == 1); // SAFE
    depth = 5;
    assert(depth == 5); // SAFE
    mark = 2;
    shared_depth = 5;
    assert(shared_depth == 5); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a;
    depth = 7;
    pthread_create(&a, 0, walker, 0);
    shared_depth = 7;
    assert(depth == 7); // SAFE
    assert(mark == 0); // SAFE
    assert(shared_depth >= 1); // SAFE
    return 0;
}
