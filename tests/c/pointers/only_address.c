// A pointer that only ever holds one address is that address: elements and members are told apart behind it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct state {
    int values[4];
    pthread_mutex_t locks[2];
    int busy;
};

static struct state state;
static int *second = &state.values[1];
static pthread_mutex_t *lock = &state.locks[1];

void *worker(void *unused)
{
    pthread_mutex_lock(lock);
    assert(state.busy == 0); // SAFE
    state.busy = 1;
    state.busy = 0;
    pthread_mutex_unlock(lock);
    return unused;
}

int main(void)
{
    pthread_t id;
    int *own = calloc(3, sizeof(int));

    if (own == NULL)
        return 1;
    pthread_create(&id, NULL, worker, NULL);
    *second = 7;
    assert(state.values[1] == 7); // SAFE
    assert(second[-1] == 0); // SAFE
    own[1] = 4;
    *(own + 2) = 5;
    assert(own[0] == 0 && own[1] == 4 && own[2] == 5); // SAFE
    pthread_mutex_lock(lock);
    state.busy = 2;
    assert(state.busy == 2); // SAFE
    state.busy = 0;
    pthread_mutex_unlock(lock);
    assert(state.busy == 0); // UNSAFE!
    return 0;
}
