// As once_checked, but without the second look under the lock: two threads may both make the object.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct table {
    int size, hits;
};

static _Atomic(struct table *) table;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct table *get(void)
{
    struct table *found = atomic_load(&table);

    if (found)
        return found;
    pthread_mutex_lock(&lock);
    found = malloc(sizeof *found);
    if (!found)
        exit(1);
    found->size = 64;
    found->hits = 0;
    atomic_store(&table, found);
    pthread_mutex_unlock(&lock);
    return found;
}

static void *use(void *unused)
{
    struct table *own = get();

    assert(own->size == 64);                    // SAFE
    pthread_mutex_lock(&lock);
    own->hits++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t threads[2];

    for (int t = 0; t < 2; t++)
        if (pthread_create(&threads[t], 0, use, 0))
            exit(1);
    for (int t = 0; t < 2; t++)
        pthread_join(threads[t], 0);
    assert(get()->hits == 2);                   // UNSAFE!
    return 0;
}
