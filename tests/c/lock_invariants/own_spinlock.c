// A lock made by hand protects like any other.
#include <pthread.h>
#include <assert.h>

int locked;
int left = 10, right = 10;

static void take(void) {
    while (__sync_lock_test_and_set(&locked, 1))
        ;
}

static void release(void) {
    __sync_lock_release(&locked);
}

void *mover(void *unused) {
    take();
    left++;
    right++;
    release();
    return 0;
}

void *auditor(void *unused) {
    take();
    int difference = left - right;
    assert(difference == 0); // SAFE (needs octagon)
    release();
    assert(left == right); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, mover, 0);
    pthread_create(&b, 0, mover, 0);
    pthread_create(&c, 0, auditor, 0);
    return 0;
}
