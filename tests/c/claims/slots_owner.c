// Slots that a thread takes under a lock by writing its number into them, and uses without it until it gives them back.
#include <assert.h>
#include <pthread.h>

#define SLOTS 6
#define NOBODY 0

struct slot {
    int owner;
    int begun;
    int ended;
};

static struct slot slots[SLOTS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int take(int own)
{
    int found = -1;

    pthread_mutex_lock(&lock);
    for (int i = 0; i < SLOTS; i++)
        if (slots[i].owner == NOBODY) {
            slots[i].owner = own;
            found = i;
            break;
        }
    pthread_mutex_unlock(&lock);
    return found;
}

static void give_back(int i, int own)
{
    pthread_mutex_lock(&lock);
    assert(slots[i].owner == own);  // SAFE
    slots[i].owner = NOBODY;
    pthread_mutex_unlock(&lock);
}

static void *work(void *argument)
{
    int own = 1 + (int)(long)argument;

    for (int round = 0; round < 20; round++) {
        int i = take(own);
        if (i < 0)
            continue;
        assert(slots[i].begun == slots[i].ended);  // SAFE
        slots[i].begun++;
        assert(slots[i].begun == slots[i].ended + 1);  // SAFE
        slots[i].ended++;
        give_back(i, own);
    }
    return 0;
}

int main(void)
{
    pthread_t threads[5];

    for (long t = 0; t < 5; t++)
        pthread_create(&threads[t], 0, work, (void *)t);
    for (int t = 0; t < 5; t++)
        pthread_join(threads[t], 0);
    return 0;
}
