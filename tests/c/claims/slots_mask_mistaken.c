// As slots_mask, but the bit is looked at before it is set: two threads may set it, and both use the buffer.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define BUFFERS 2

static atomic_uint taken;
static atomic_int used[BUFFERS];

static void *work(void *unused)
{
    for (int i = 0; i < BUFFERS; i++)
        if (!(atomic_load(&taken) & (1u << i))) {
            atomic_fetch_or(&taken, 1u << i);
            assert(used[i] == 0);       // UNSAFE!
            used[i] = 1;
            used[i] = 0;
            atomic_fetch_and(&taken, ~(1u << i));
        }
    return unused;
}

int main(void)
{
    pthread_t threads[2];

    for (int t = 0; t < 2; t++)
        pthread_create(&threads[t], 0, work, 0);
    for (int t = 0; t < 2; t++)
        pthread_join(threads[t], 0);
    return 0;
}
