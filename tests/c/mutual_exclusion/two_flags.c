// Mutual exclusion by two flags (it may deadlock, but is never wrong), and a version that looks before it leaps.
#include <pthread.h>
#include <assert.h>

volatile int want_a, want_b;
volatile int late_a, late_b;
int desk, chair;

void *a(void *unused) {
    want_a = 1;
    while (want_b) ;
    desk = 1;
    assert(desk == 1); // SAFE
    want_a = 0;
    while (late_b) ;
    late_a = 1;
    chair = 1;
    assert(chair == 1); // UNSAFE!
    late_a = 0;
    return 0;
}

void *b(void *unused) {
    want_b = 1;
    while (want_a) ;
    desk = 2;
    assert(desk == 2); // SAFE
    want_b = 0;
    while (late_a) ;
    late_b = 1;
    chair = 2;
    assert(chair >= 1); // SAFE
    late_b = 0;
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, a, 0);
    pthread_create(&second, 0, b, 0);
    return 0;
}
