// ARGS: --properties assertion,data-race
// Two waves of threads through the same array of handles; the second reads what the first wrote.
#include <assert.h>
#include <pthread.h>

#define N 3
static pthread_t h[N];
static int input[N], output[N];

static void *first(void *a) {
    int i = *(int *)a;
    input[i] = i + 1;
    return 0;
}

static void *second(void *a) {
    int i = *(int *)a;
    assert(input[i] == i + 1); // SAFE
    output[i] = input[i] * 2;
    return (void *)(long)output[i];
}

int main(void) {
    static int ids[N] = {0, 1, 2};
    long sum = 0;
    for (int i = 0; i < N; i++)
        pthread_create(&h[i], 0, first, &ids[i]);
    for (int i = 0; i < N; i++)
        pthread_join(h[i], 0);
    assert(input[0] == 1 && input[2] == 3); // SAFE
    for (int i = 0; i < N; i++)
        pthread_create(&h[i], 0, second, &ids[i]);
    for (int i = 0; i < N; i++) {
        void *r;
        pthread_join(h[i], &r);
        assert((long)r == output[i]); // SAFE
        sum += (long)r;
    }
    assert(output[1] == 4); // SAFE
    assert(sum == 12); // SAFE
    return 0;
}
