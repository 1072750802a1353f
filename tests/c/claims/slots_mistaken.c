// As slots_exchange, but the slot is given back before its holder has done with it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 2

static atomic_int busy[SLOTS];
static atomic_int first[SLOTS];

static void *work(void *argument)
{
    int own = 1 + (int)(long)argument;
    int i = own % SLOTS;

    if (atomic_exchange(&busy[i], 1) == 0) {
        first[i] = own;
        atomic_store(&busy[i], 0);
        assert(first[i] == own);                // UNSAFE!
    }
    return 0;
}

int main(void)
{
    pthread_t threads[4];

    for (long t = 0; t < 4; t++)
        pthread_create(&threads[t], 0, work, (void *)t);
    for (int t = 0; t < 4; t++)
        pthread_join(threads[t], 0);
    assert(busy[0] <= 1);                       // SAFE
    return 0;
}
