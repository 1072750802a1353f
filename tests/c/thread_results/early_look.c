// As parts_of_a_sum.c, but the second result is used before its thread is joined.
#include <assert.h>
#include <pthread.h>

static int results[2];

static void *compute(void *slot) {
    *(int *)slot = 6;
    return slot;
}

int main(void) {
    pthread_t t[2];
    void *found;
    for (int i = 0; i < 2; i++)
        if (pthread_create(&t[i], 0, compute, &results[i]))
            return 1;
    pthread_join(t[0], &found);
    __goblint_check(*(int *)found == 6); // SAFE
    __goblint_check(results[1] == 6); // UNSAFE!
    pthread_join(t[1], &found);
    __goblint_check(results[1] == 6); // SAFE
    __goblint_check(found == &results[1]); // SAFE
    return 0;
}
