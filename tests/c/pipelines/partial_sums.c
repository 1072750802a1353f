// ARGS: --properties assertion,array-bounds
// Two threads add up halves of an array into slots of their own; main adds the slots after both have ended.
#include <pthread.h>
#include <assert.h>

#define N 8
static int data[N];
static int partial[2], progress;

static void *adder(void *argument) {
    int half = (int)(long)argument;
    int sum = 0;
    for (int i = 0; i < N / 2; i++) {
        int value = data[half * (N / 2) + i]; // SAFE
        assert(value <= 1); // SAFE
        sum += value;
        progress = i;
    }
    partial[half] = sum; // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    for (int i = 0; i < N; i++)
        data[i] = 1; // SAFE
    pthread_create(&a, 0, adder, (void *)0);
    pthread_create(&b, 0, adder, (void *)1);
    assert(progress == 0); // UNSAFE!
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(progress >= 0 && progress < N / 2); // SAFE
    int total = partial[0] + partial[1]; // SAFE
    assert(total == N); // SAFE (needs refinement)
    return 0;
}
