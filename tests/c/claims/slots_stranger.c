// As slots_exchange, but a slot is given back by whoever did not get it as well.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 2

static atomic_int busy[SLOTS], used[SLOTS];

static void *work(void *argument)
{
    int own = 1 + (int)(long)argument;
    int i = own % SLOTS;

    for (int round = 0; round < 2; round++) {
        if (atomic_exchange(&busy[i], 1) == 0) {
            used[i] = own;
            assert(used[i] == own);         // UNSAFE!
        }
        atomic_store(&busy[i], 0);
    }
    return 0;
}

int main(void)
{
    pthread_t threads[3];

    for (long t = 0; t < 3; t++)
        pthread_create(&threads[t], 0, work, (void *)t);
    for (int t = 0; t < 3; t++)
        pthread_join(threads[t], 0);
    return 0;
}
