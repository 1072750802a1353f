// The usual set-up: an array of structures with what each worker needs and gives back, both arrays on the heap.
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>

struct work {
    pthread_t thread;
    int number, answer;
    int *total;
    pthread_mutex_t *lock;
};

static int workers = 3;

static void *run(void *argument) {
    struct work *mine = argument;
    assert(mine->number >= 0 && mine->number < 3); // SAFE
    mine->answer = 10 * mine->number;
    pthread_mutex_lock(mine->lock);
    *mine->total = *mine->total + 1;
    assert(*mine->total >= 1); // SAFE
    pthread_mutex_unlock(mine->lock);
    return 0;
}

static int start(struct work *all, int number, int *total, pthread_mutex_t *lock) {
    all[number].number = number;
    all[number].total = total;
    all[number].lock = lock;
    return pthread_create(&all[number].thread, 0, run, &all[number]);
}

int main(void) {
    struct work *all = calloc(3, sizeof(struct work));
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int total = 0;
    if (all == 0) return 1;
    for (int i = 0; i < workers; i++)
        if (start(all, i, &total, &lock) != 0) abort();
    assert(total == 0); // UNSAFE!
    for (int i = 0; i < workers; i++)
        pthread_join(all[i].thread, 0);
    for (int i = 0; i < workers; i++)
        assert(all[i].answer == 10 * i); // SAFE
    assert(total >= 1); // SAFE
    assert(total == 3); // SAFE (needs octagon)
    free(all);
    return 0;
}
