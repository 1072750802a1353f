// Double checked: an atomic pointer is looked at without the lock, and made under it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct table {
    int size, mask, hits;
};

static _Atomic(struct table *) table;
static int made;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct table *get(void)
{
    struct table *found = atomic_load_explicit(&table, memory_order_acquire);

    if (found)
        return found;
    pthread_mutex_lock(&lock);
    found = atomic_load_explicit(&table, memory_order_relaxed);
    if (!found) {
        found = malloc(sizeof *found);
        if (!found)
            exit(1);
        found->size = 64;
        found->mask = found->size - 1;
        found->hits = 0;
        made = made + 1;
        atomic_store_explicit(&table, found, memory_order_release);
    }
    assert(made == 1);                          // SAFE
    pthread_mutex_unlock(&lock);
    return found;
}

static void *use(void *unused)
{
    struct table *own = get();

    assert(own->size == 64);                    // SAFE
    assert(own->mask == own->size - 1);         // SAFE
    pthread_mutex_lock(&lock);
    own->hits++;
    assert(own->hits >= 1);                     // SAFE
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t threads[4];

    for (int t = 0; t < 4; t++)
        if (pthread_create(&threads[t], 0, use, 0))
            exit(1);
    for (int t = 0; t < 4; t++)
        pthread_join(threads[t], 0);
    assert(get()->hits == 4);  // UNKNOWN (initial value of a counted member of an object that is made once)
    free(get());
    return 0;
}
