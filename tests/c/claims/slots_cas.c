// Desks that clerks take with compare and swap of their number for nobody's, and count what they do there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define DESKS 3

struct desk {
    atomic_int clerk;
    int visits;
    int stamps;
};

static struct desk desks[DESKS];

static void *clerk(void *argument)
{
    int own = (int)(long)argument;

    for (int round = 0; round < 40; round++) {
        struct desk *desk = &desks[round % DESKS];
        int nobody = 0;
        if (!atomic_compare_exchange_strong(&desk->clerk, &nobody, own)) {
            assert(nobody != 0);                        // SAFE
            continue;
        }
        desk->visits++;
        desk->stamps += 2;
        assert(desk->stamps == 2 * desk->visits);  // SAFE
        assert(atomic_load(&desk->clerk) == own);  // SAFE
        atomic_store(&desk->clerk, 0);
    }
    return 0;
}

int main(void)
{
    pthread_t threads[4];

    for (long t = 0; t < 4; t++)
        pthread_create(&threads[t], 0, clerk, (void *)(t + 1));
    for (int t = 0; t < 4; t++)
        pthread_join(threads[t], 0);
    for (int i = 0; i < DESKS; i++) {
        assert(desks[i].clerk == 0);  // SAFE
        assert(desks[i].stamps == 2 * desks[i].visits);  // SAFE
    }
    return 0;
}
