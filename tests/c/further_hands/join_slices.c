// The textbook sum of an array in slices; each thread has its part of the work in a structure.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define N 12
#define THREADS 3

struct slice {
    int first, last;
    long sum;
};

static int data[N];

static void *add_up(void *arg) {
    struct slice *s = arg;
    assert(s->first >= 0 && s->last <= N); // SAFE
    s->sum = 0;
    for (int i = s->first; i < s->last; i++) {
        assert(i < N); // SAFE
        s->sum += data[i];
    }
    assert(s->sum >= 0); // SAFE
    return s;
}

int main(void) {
    pthread_t t[THREADS];
    struct slice slices[THREADS];
    long total = 0;
    for (int i = 0; i < N; i++)
        data[i] = i + 1;
    for (int i = 0; i < THREADS; i++) {
        slices[i].first = i * (N / THREADS);
        slices[i].last = slices[i].first + N / THREADS;
        pthread_create(&t[i], NULL, add_up, &slices[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(t[i], &result);
        struct slice *s = result;
        assert(s == &slices[i]); // SAFE
        assert(s->sum >= 0); // SAFE
        total += s->sum;
    }
    assert(total >= 0); // SAFE
    assert(total <= N * N); // UNKNOWN (sums of elements)
    assert(total == N * (N + 1) / 2); // UNKNOWN (sums of elements)
    assert(total == 0); // UNSAFE!
    return 0;
}
