// As test_and_set.c, but the word is looked at first and set afterwards: two threads can get in.
#include <assert.h>
#include <pthread.h>

static volatile int taken;
static int left = 3, right = 3;

static void enter(void) {
    while (taken)
        ;
    taken = 1;
}

static void leave(void) { taken = 0; }

static void *mover(void *unused) {
    enter();
    left--;
    right++;
    assert(left + right == 6); // UNSAFE!
    leave();
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, mover, 0);
    pthread_create(&b, 0, mover, 0);
    int seen = taken;
    assert(seen == 0 || seen == 1); // SAFE
    return 0;
}
