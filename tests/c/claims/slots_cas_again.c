// As slots_cas, but whoever comes back to a slot takes it to be as it was left: others had it in between.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 2

static atomic_int owner[SLOTS], used[SLOTS];

static void *work(void *argument)
{
    int own = 1 + (int)(long)argument;
    int i = own % SLOTS, nobody = 0;

    if (atomic_compare_exchange_strong(&owner[i], &nobody, 1)) {
        used[i] = own;
        assert(used[i] == own);             // SAFE
        atomic_store(&owner[i], 0);
        nobody = 0;
        if (atomic_compare_exchange_strong(&owner[i], &nobody, 1)) {
            assert(used[i] == own);         // UNSAFE!
            atomic_store(&owner[i], 0);
        }
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
