// The bakery for two threads: numbers and flags; mutual exclusion is beyond non-relational reasoning.
#include <pthread.h>
#include <assert.h>

static volatile int choosing_a, choosing_b, number_a, number_b, inside;

static void *a(void *unused) {
    choosing_a = 1;
    number_a = number_b + 1;
    choosing_a = 0;
    while (choosing_b) ;
    while (number_b != 0 && number_b < number_a) ;
    inside = 1;
    assert(inside == 1); // UNKNOWN (who holds the smaller number)
    number_a = 0;
    assert(choosing_a == 0); // SAFE
    return 0;
}

static void *b(void *unused) {
    choosing_b = 1;
    number_b = number_a + 1;
    choosing_b = 0;
    while (choosing_a) ;
    while (number_a != 0 && number_a <= number_b) ;
    inside = 2;
    assert(inside == 2); // UNKNOWN (who holds the smaller number)
    number_b = 0;
    return 0;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, a, 0);
    pthread_create(&t, 0, b, 0);
    assert(inside <= 2); // SAFE
    assert(inside == 0); // UNSAFE!
    return 0;
}
