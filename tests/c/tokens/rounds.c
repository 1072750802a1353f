// Two threads meet at a barrier between rounds: what each has written before is there behind it.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t meeting;
static int left_part, right_part;

static void *left(void *unused) {
    left_part = 10;
    pthread_barrier_wait(&meeting);
    int sum = left_part + right_part;
    assert(sum == 30); // SAFE
    pthread_barrier_wait(&meeting);
    left_part = sum;
    return 0;
}

static void *right(void *unused) {
    right_part = 20;
    pthread_barrier_wait(&meeting);
    assert(left_part == 10); // SAFE
    pthread_barrier_wait(&meeting);
    __goblint_check(left_part == 10); // UNSAFE!
    assert(right_part == 20); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&meeting, 0, 2);
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(left_part == 30); // SAFE
    return 0;
}
