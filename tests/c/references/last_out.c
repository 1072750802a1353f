// ARGS: --properties assertion,data-race
// Who comes last adds up what all have found.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 16
static int part[N]; // SAFE
static int total; // SAFE
static atomic_int left = N;

static void *worker(void *arg) {
    long id = (long)arg;
    part[id] = 5;
    if (atomic_fetch_sub(&left, 1) == 1) {
        int sum = 0;
        for (int i = 0; i < N; i++)
            sum += part[i];
        total = sum;
    }
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(total >= 0); // SAFE
    return 0;
}
