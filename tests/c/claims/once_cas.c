// Whoever comes first installs its own object with compare and swap; the others throw theirs away.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct log {
    int limit;
    int reserve;
    atomic_int lines;
};

static _Atomic(struct log *) current;
static atomic_int installed;

static struct log *get(void)
{
    struct log *seen = atomic_load(&current);

    if (!seen) {
        struct log *mine = malloc(sizeof *mine);
        if (!mine)
            exit(1);
        mine->limit = 80;
        mine->reserve = mine->limit / 4;
        atomic_init(&mine->lines, 0);
        if (atomic_compare_exchange_strong(&current, &seen, mine)) {
            atomic_fetch_add(&installed, 1);
            seen = mine;
        } else {
            free(mine);
        }
    }
    return seen;
}

static void *writer(void *unused)
{
    struct log *log = get();

    assert(log != 0);                           // SAFE
    assert(log->limit == 80);                   // SAFE
    assert(log->reserve == 20);                 // SAFE
    for (int i = 0; i < 10; i++)
        atomic_fetch_add(&log->lines, 1);
    assert(atomic_load(&log->lines) >= 10);  // UNKNOWN (what one thread adds at least)
    return unused;
}

int main(void)
{
    pthread_t threads[4];

    for (int t = 0; t < 4; t++)
        if (pthread_create(&threads[t], 0, writer, 0))
            exit(1);
    for (int t = 0; t < 4; t++)
        pthread_join(threads[t], 0);
    assert(installed == 1);  // UNKNOWN (one compare and swap of null succeeds)
    assert(atomic_load(&current)->lines == 40);  // UNKNOWN (what all add to a member of what came first)
    free(atomic_load(&current));
    return 0;
}
