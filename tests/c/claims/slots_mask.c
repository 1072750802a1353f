// Buffers whose bits in a mask are set by who takes one, and cleared by who gives it back.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define BUFFERS 8

static atomic_uint taken;
static int length[BUFFERS], used[BUFFERS];

static int take(void)
{
    for (int i = 0; i < BUFFERS; i++)
        if (!(atomic_fetch_or(&taken, 1u << i) & (1u << i)))
            return i;
    return -1;
}

static void give_back(int i)
{
    atomic_fetch_and(&taken, ~(1u << i));
}

static void *work(void *argument)
{
    int own = (int)(long)argument;

    for (int round = 0; round < 30; round++) {
        int i = take();
        if (i < 0)
            continue;
        assert(i < BUFFERS);            // SAFE
        assert(used[i] == 0);  // UNKNOWN (whoever set the bit is alone with the element)
        used[i] = 1;
        length[i] = own + round;
        assert(length[i] == own + round);  // UNKNOWN (whoever set the bit is alone with the element)
        assert(used[i] == 1);  // UNKNOWN (whoever set the bit is alone with the element)
        used[i] = 0;
        give_back(i);
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
    assert(taken < 1u << BUFFERS);      // SAFE
    assert(taken == 0);  // UNKNOWN (whoever set the bit is alone with the element)
    return 0;
}
