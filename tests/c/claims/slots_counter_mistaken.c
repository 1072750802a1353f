// As slots_counter, but a number is drawn in two steps: two threads may draw the same one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define JOBS 4

static atomic_int done_by[JOBS];
static atomic_int next;

static void *work(void *argument)
{
    int own = 1 + (int)(long)argument;
    int i = atomic_load(&next);

    atomic_store(&next, i + 1);
    assert(i >= 0);                     // SAFE
    if (i < JOBS) {
        assert(done_by[i] == 0);        // UNSAFE!
        done_by[i] = own;
        assert(done_by[i] == own);      // UNSAFE!
    }
    return 0;
}

int main(void)
{
    pthread_t threads[2];

    for (long t = 0; t < 2; t++)
        pthread_create(&threads[t], 0, work, (void *)t);
    for (int t = 0; t < 2; t++)
        pthread_join(threads[t], 0);
    return 0;
}
