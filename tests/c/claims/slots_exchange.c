// A table of slots, each with a busy flag that whoever uses the slot takes by an exchange and gives back by a store.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 4
#define WORKERS 3

static atomic_int busy[SLOTS];
static int first[SLOTS], second[SLOTS];

static void *work(void *argument)
{
    int own = (int)(long)argument;

    for (int round = 0; round < 50; round++) {
        int i = (own + round) % SLOTS;
        if (atomic_exchange(&busy[i], 1) == 0) {
            assert(first[i] == second[i]);  // SAFE
            first[i] = own;
            assert(first[i] == own);  // SAFE
            second[i] = own;
            assert(second[i] == first[i]);  // SAFE
            atomic_store(&busy[i], 0);
        }
    }
    return 0;
}

int main(void)
{
    pthread_t threads[WORKERS];

    for (long t = 0; t < WORKERS; t++)
        pthread_create(&threads[t], 0, work, (void *)t);
    for (int t = 0; t < WORKERS; t++)
        pthread_join(threads[t], 0);
    for (int i = 0; i < SLOTS; i++)
        assert(first[i] == second[i]);  // SAFE
    return 0;
}
