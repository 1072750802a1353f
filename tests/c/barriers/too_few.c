// A barrier for two that three threads use: who passes knows of one other thread only.
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

pthread_barrier_t meeting;
int one, two, three;

void *first(void *unused) {
    one = 1;
    pthread_barrier_wait(&meeting);
    __goblint_check(two == 1); // UNSAFE!
    assert(one == 1); // SAFE
    return 0;
}

void *second(void *unused) {
    two = 1;
    pthread_barrier_wait(&meeting);
    __goblint_check(three == 1); // UNSAFE!
    return 0;
}

void *third(void *unused) {
    three = 1;
    pthread_barrier_wait(&meeting);
    __goblint_check(one == 1); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_barrier_init(&meeting, 0, 2);
    if (pthread_create(&a, 0, first, 0)) exit(1);
    if (pthread_create(&b, 0, second, 0)) exit(1);
    if (pthread_create(&c, 0, third, 0)) exit(1);
    return 0;
}
