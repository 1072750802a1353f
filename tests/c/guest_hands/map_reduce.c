// Workers add up their parts of an array; main adds up what they found.
#include <assert.h>
#include <pthread.h>

#define N 16
#define WORKERS 4

struct part {
    int from, to;
    long sum;
    int largest;
};

static int data[N];

static void *map(void *arg) {
    struct part *p = arg;
    p->sum = 0;
    p->largest = data[p->from];
    for (int i = p->from; i < p->to; i++) {
        assert(data[i] >= 1 && data[i] <= 5); // SAFE
        p->sum += data[i];
        if (data[i] > p->largest)
            p->largest = data[i];
    }
    assert(p->sum <= 5 * (p->to - p->from)); // SAFE
    assert(p->largest >= 1); // SAFE
    return p;
}

int main(void) {
    pthread_t t[WORKERS];
    struct part parts[WORKERS];
    long total = 0;
    int largest = 0;
    for (int i = 0; i < N; i++)
        data[i] = 1 + i % 5;
    for (int i = 0; i < WORKERS; i++) {
        parts[i].from = i * N / WORKERS;
        parts[i].to = (i + 1) * N / WORKERS;
        assert(parts[i].to - parts[i].from == 4); // SAFE
        pthread_create(&t[i], 0, map, &parts[i]);
    }
    for (int i = 0; i < WORKERS; i++) {
        void *result;
        pthread_join(t[i], &result);
        struct part *p = result;
        assert(p == &parts[i]); // SAFE
        assert(p->sum >= 4); // SAFE
        total += p->sum;
        if (p->largest > largest)
            largest = p->largest;
    }
    assert(total >= WORKERS * 4); // SAFE
    assert(total <= 5 * N); // SAFE
    assert(largest <= 5); // SAFE
    assert(total == 46); // UNKNOWN (sums of elements)
    assert(total == 48); // UNSAFE!
    return 0;
}
