// ARGS: --properties assertion,deadlock
// Three philosophers; everybody takes the fork with the lower number first.
#include <assert.h>
#include <pthread.h>

#define SEATS 3

static pthread_mutex_t fork_lock[SEATS];
static int held_by[SEATS]; // seat + 1, or 0
static pthread_mutex_t stats = PTHREAD_MUTEX_INITIALIZER;
static int meals, eating;

static void *philosopher(void *arg) {
    int seat = (int)(long)arg;
    int left = seat, right = (seat + 1) % SEATS;
    int low = left < right ? left : right;
    int high = left < right ? right : left;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&fork_lock[low]); // SAFE
        assert(held_by[low] == 0); // SAFE
        held_by[low] = seat + 1;
        pthread_mutex_lock(&fork_lock[high]); // SAFE
        held_by[high] = seat + 1;
        assert(low < high); // SAFE
        pthread_mutex_lock(&stats); // SAFE
        eating++;
        assert(eating >= 1); // SAFE
        meals++;
        pthread_mutex_unlock(&stats);
        assert(held_by[low] == seat + 1); // SAFE
        assert(held_by[low] == held_by[high]); // SAFE
        pthread_mutex_lock(&stats); // SAFE
        eating--;
        pthread_mutex_unlock(&stats);
        held_by[high] = 0;
        pthread_mutex_unlock(&fork_lock[high]);
        held_by[low] = 0;
        pthread_mutex_unlock(&fork_lock[low]);
    }
    return 0;
}

int main(void) {
    pthread_t t[SEATS];
    for (int i = 0; i < SEATS; i++)
        pthread_mutex_init(&fork_lock[i], 0);
    for (long i = 0; i < SEATS; i++)
        pthread_create(&t[i], 0, philosopher, (void *)i);
    for (int i = 0; i < SEATS; i++)
        pthread_join(t[i], 0);
    assert(meals == 6); // SAFE
    assert(eating == 0); // SAFE
    assert(held_by[0] == 0); // SAFE
    return 0;
}
