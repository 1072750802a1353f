// As slots_exchange, but of three threads one claims the slot in front of the one that it uses.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 2

static atomic_int busy[SLOTS], used[SLOTS];

static void *work(void *argument)
{
    int own = 1 + (int)(long)argument;
    int i = own == 3 ? 0 : own % SLOTS;

    if (atomic_exchange(&busy[i], 1) == 0) {
        used[own % SLOTS] = own;
        assert(used[own % SLOTS] == own);   // UNSAFE!
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
