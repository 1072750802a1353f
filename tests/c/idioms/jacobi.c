// ARGS: --properties assertion,data-race,array-bounds
// Two threads smooth the halves of a row, in steps with a barrier behind each half step.
#include <assert.h>
#include <pthread.h>

#define N 16
#define STEPS 6
static int row[N], fresh[N]; // SAFE
static pthread_barrier_t meet;

static void *half(void *arg) {
    long id = (long)arg;
    int from = id * (N / 2), to = from + N / 2;
    for (int s = 0; s < STEPS; s++) {
        for (int i = from; i < to; i++) {
            int left = i > 0 ? row[i - 1] : 0; // SAFE
            int right = i < N - 1 ? row[i + 1] : 0; // SAFE
            fresh[i] = left / 2 + right / 2;
        }
        pthread_barrier_wait(&meet);
        for (int i = from; i < to; i++)
            row[i] = fresh[i];
        pthread_barrier_wait(&meet);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    for (int i = 0; i < N; i++)
        row[i] = i;
    pthread_barrier_init(&meet, 0, 2);
    pthread_create(&a, 0, half, (void *)0L);
    pthread_create(&b, 0, half, (void *)1L);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
