// Three threads in two phases: nobody is in the second phase while another one is in the first.
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

pthread_barrier_t meeting;
int left, middle, right, late;

void *first(void *unused) {
    left = 1;
    pthread_barrier_wait(&meeting);
    assert(middle == 1); // SAFE (needs refinement)
    assert(right == 1); // SAFE (needs refinement)
    __goblint_check(late == 0); // UNSAFE!
    return 0;
}

void *second(void *unused) {
    __goblint_check(left == 1); // UNSAFE!
    middle = 1;
    pthread_barrier_wait(&meeting);
    assert(left == 1); // SAFE (needs refinement)
    late = 1;
    return 0;
}

void *third(void *unused) {
    right = 1;
    assert(late == 0); // SAFE
    pthread_barrier_wait(&meeting);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_barrier_init(&meeting, 0, 3);
    if (pthread_create(&a, 0, first, 0)) exit(1);
    if (pthread_create(&b, 0, second, 0)) exit(1);
    if (pthread_create(&c, 0, third, 0)) exit(1);
    pthread_join(a, 0);
    return 0;
}
