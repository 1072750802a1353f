// Two workers fill halves of an array, meet at a barrier, and each reads what the other wrote.
#include <assert.h>
#include <pthread.h>

#define N 8

static int in[N], out[N];
static pthread_barrier_t wait;
static int leaders;

static void *worker(void *arg) {
    int me = *(int *)arg;
    assert(me == 0 || me == 1); // SAFE
    for (int i = me * N / 2; i < (me + 1) * N / 2; i++)
        in[i] = i + 1;
    if (pthread_barrier_wait(&wait) == PTHREAD_BARRIER_SERIAL_THREAD)
        leaders++;
    for (int i = 0; i < N; i++)
        assert(in[i] >= 1); // UNKNOWN (loops with bounds that are given by a pointer)
    for (int i = me; i < N; i += 2)
        out[i] = in[N - 1 - i];
    pthread_barrier_wait(&wait);
    assert(leaders == 1); // SAFE
    assert(out[0] == N); // SAFE
    assert(out[N - 1] == 1); // UNKNOWN (loops with bounds that are given by a pointer)
    return arg;
}

int main(void) {
    pthread_t t[2];
    int id[2] = {0, 1};
    pthread_barrier_init(&wait, 0, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, worker, &id[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(leaders == 1); // SAFE
    int sum = 0;
    for (int i = 0; i < N; i++)
        sum += out[i];
    assert(sum == 36); // SAFE
    pthread_barrier_destroy(&wait);
    return 0;
}
