// As slots_owner, but the lock is given back between looking at a slot and taking it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 2

static atomic_int owner[SLOTS], used[SLOTS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument)
{
    int own = 1 + (int)(long)argument;
    int found = -1;

    pthread_mutex_lock(&lock);
    for (int i = 0; i < SLOTS; i++)
        if (owner[i] == 0) {
            found = i;
            break;
        }
    pthread_mutex_unlock(&lock);
    if (found < 0)
        return 0;
    pthread_mutex_lock(&lock);
    owner[found] = own;
    pthread_mutex_unlock(&lock);
    used[found] = own;
    assert(used[found] == own);             // UNSAFE!
    assert(owner[found] == own);            // UNSAFE!
    pthread_mutex_lock(&lock);
    owner[found] = 0;
    pthread_mutex_unlock(&lock);
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
