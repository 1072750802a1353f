// ARGS: --properties assertion,array-bounds,data-race
// Each thread has a slot of its own; main looks at all of them after the joins.
#include <assert.h>
#include <pthread.h>

#define N 6
static int slot[N]; // SAFE

static void *worker(void *arg) {
    int id = (int)(long)arg;
    slot[id] = 1;
    for (int i = 0; i < 10; i++)
        slot[id]++;
    assert(slot[id] == 11); // SAFE
    slot[id] = id * 2;
    assert(slot[id] == 2 * id); // SAFE
    return 0;
}

int main(void) {
    pthread_t t[N];
    int sum = 0;
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    for (int i = 0; i < N; i++) {
        assert(slot[i] == 2 * i); // SAFE
        sum += slot[i];
    }
    assert(sum == 30); // SAFE
    return 0;
}
