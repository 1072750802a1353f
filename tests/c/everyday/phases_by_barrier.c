// Two threads compute in phases: in each, one reads what the other wrote in the phase before.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int left_value, right_value, left_next, right_next;

static void *left(void *unused) {
    left_value = 1;
    pthread_barrier_wait(&barrier);
    assert(right_value == 2); // SAFE
    left_next = left_value + right_value;
    pthread_barrier_wait(&barrier);
    left_value = left_next;
    assert(left_value == 3); // SAFE
    return 0;
}

static void *right(void *unused) {
    right_value = 2;
    __goblint_check(left_value == 0); // UNSAFE!
    pthread_barrier_wait(&barrier);
    assert(left_value == 1); // SAFE
    right_next = left_value - right_value;
    pthread_barrier_wait(&barrier);
    right_value = right_next;
    assert(right_value == -1); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(left_value + right_value == 2); // SAFE
    return 0;
}
