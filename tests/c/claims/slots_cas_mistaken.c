// As slots_cas, but a clerk goes on whether or not the desk was taken.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int clerk, stamps;

static void *work(void *argument)
{
    int own = (int)(long)argument;
    int nobody = 0;

    atomic_compare_exchange_strong(&clerk, &nobody, own);
    if (nobody && nobody != own)
        stamps = 0;
    stamps = own;
    assert(stamps == own);              // UNSAFE!
    atomic_store(&clerk, 0);
    return 0;
}

int main(void)
{
    pthread_t threads[2];

    for (long t = 0; t < 2; t++)
        pthread_create(&threads[t], 0, work, (void *)(t + 1));
    for (int t = 0; t < 2; t++)
        pthread_join(threads[t], 0);
    return 0;
}
