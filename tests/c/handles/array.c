// Handles in an array, and one variable that is used for several threads.
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

int first, second, third;

void *one(void *unused) { first = 1; return 0; }
void *two(void *unused) { second = 2; return 0; }
void *three(void *unused) { third = 3; return 0; }

int main(void) {
    pthread_t all[2], again;
    if (pthread_create(&all[0], 0, one, 0)) exit(1);
    if (pthread_create(&all[1], 0, two, 0)) exit(1);
    __goblint_check(second == 0); // UNSAFE!
    pthread_join(all[1], 0);
    assert(second == 2); // SAFE (needs refinement)
    __goblint_check(first == 1); // UNSAFE!
    again = all[0];
    pthread_join(again, 0);
    assert(first == 1); // SAFE (needs refinement)
    first = 8;
    if (pthread_create(&again, 0, three, 0)) exit(1);
    assert(first == 8); // SAFE
    pthread_join(again, 0);
    assert(third == 3); // SAFE (needs refinement)
    return 0;
}
