// Each worker fills its own slot, waits at the barrier, and reads the slots of all; twice.
#include <assert.h>
#include <pthread.h>

#define N 3

static pthread_barrier_t barrier;
static int slot[N], sums[N];

static void *worker(void *arg) {
    int me = *(int *)arg;
    slot[me] = me + 1;
    pthread_barrier_wait(&barrier);
    int sum = 0;
    for (int i = 0; i < N; i++) {
        assert(slot[i] >= 1 && slot[i] <= N); // SAFE
        sum += slot[i];
    }
    assert(sum >= N); // SAFE
    assert(sum == 6); // SAFE
    pthread_barrier_wait(&barrier);
    slot[me] = sum;
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < N; i++)
        assert(slot[i] == sum); // UNKNOWN (elements of other threads in rounds)
    sums[me] = sum;
    return arg;
}

int main(void) {
    pthread_t t[N];
    static int ids[N] = { 0, 1, 2 };
    pthread_barrier_init(&barrier, 0, N);
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, worker, &ids[i]);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(sums[0] == 6); // SAFE
    assert(sums[1] == sums[2]); // SAFE
    assert(slot[0] == 6); // SAFE
    assert(slot[0] == 1); // UNSAFE!
    return 0;
}
