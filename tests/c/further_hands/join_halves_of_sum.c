// A sum in halves: each thread is given a range on the starter's stack and returns a result that it allocates.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define N 12

struct range {
    int from, to;
};

struct result {
    int count, sum;
};

static int data[N];

static void *add(void *arg) {
    struct range *r = arg;
    struct result *out = malloc(sizeof *out);
    if (!out)
        return NULL;
    out->count = r->to - r->from;
    out->sum = 0;
    for (int i = r->from; i < r->to; i++)
        out->sum += data[i];
    assert(out->count == N / 2); // SAFE
    return out;
}

int main(void) {
    pthread_t t[2];
    struct range r[2];
    for (int i = 0; i < N; i++)
        data[i] = i % 4;
    for (int i = 0; i < 2; i++) {
        r[i].from = i * (N / 2);
        r[i].to = r[i].from + N / 2;
        if (pthread_create(&t[i], NULL, add, &r[i]) != 0)
            return 1;
    }
    int sum = 0, parts = 0;
    for (int i = 0; i < 2; i++) {
        struct result *x;
        pthread_join(t[i], (void **)&x);
        if (x == NULL)
            continue;
        assert(x->count == 6); // SAFE
        assert(x->sum >= 0); // SAFE
        assert(x->sum <= 18); // SAFE
        sum += x->sum;
        parts++;
        free(x);
    }
    assert(parts <= 2); // SAFE
    assert(sum <= 36); // SAFE
    // The elements are 0, 1, 2, 3 three times.
    assert(parts < 2 || sum == 18); // UNKNOWN (sums of elements)
    assert(sum < 18); // UNSAFE!
    return 0;
}
