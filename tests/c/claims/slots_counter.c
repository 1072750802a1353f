// Jobs are drawn from a counter: whoever draws a number is alone with the job and its result.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define JOBS 100

static int input[JOBS], output[JOBS], done_by[JOBS];
static atomic_int next;

static void *work(void *argument)
{
    int own = 1 + (int)(long)argument;
    int i;

    while ((i = atomic_fetch_add(&next, 1)) < JOBS) {
        assert(i >= 0);                     // SAFE
        assert(done_by[i] == 0);  // UNKNOWN (whoever drew the number is alone with the element)
        done_by[i] = own;
        output[i] = 2 * input[i];
        assert(done_by[i] == own);  // UNKNOWN (whoever drew the number is alone with the element)
        assert(output[i] == 2 * input[i]);  // UNKNOWN (whoever drew the number is alone with the element)
    }
    return 0;
}

int main(void)
{
    pthread_t threads[4];

    for (int i = 0; i < JOBS; i++)
        input[i] = i;
    for (long t = 0; t < 4; t++)
        pthread_create(&threads[t], 0, work, (void *)t);
    for (int t = 0; t < 4; t++)
        pthread_join(threads[t], 0);
    assert(next >= JOBS);                   // SAFE
    for (int i = 0; i < JOBS; i++) {
        assert(input[i] == i);  // UNKNOWN (whoever drew the number is alone with the element)
        assert(output[i] == 2 * i);  // UNKNOWN (whoever drew the number is alone with the element)
    }
    return 0;
}
