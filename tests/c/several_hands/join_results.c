// ARGS: --properties assertion,array-bounds,data-race,null-dereference
// Partial sums come back through pthread_join, from arguments and from the heap.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define NT 4
struct job { int lo, hi; long sum; };

static void *sum_range(void *p) {
    struct job *j = p;
    long s = 0;
    for (int i = j->lo; i < j->hi; i++)
        s += i;
    j->sum = s;
    assert(s >= 0); // SAFE
    return j;
}

static void *make_count(void *p) {
    int *r = malloc(sizeof *r);
    if (r)
        *r = 7;
    return r;
}

int main(void) {
    struct job jobs[NT];
    pthread_t tid[NT], extra;
    for (int i = 0; i < NT; i++) {
        jobs[i].lo = 10 * i;
        jobs[i].hi = 10 * (i + 1);
        jobs[i].sum = -1;
        pthread_create(&tid[i], 0, sum_range, &jobs[i]);
    }
    pthread_create(&extra, 0, make_count, 0);
    long total = 0;
    for (int i = 0; i < NT; i++) {
        void *ret;
        pthread_join(tid[i], &ret);
        struct job *back = ret;
        assert(back == &jobs[i]); // SAFE
        assert(back->sum >= 0); // SAFE
        total += back->sum;
    }
    assert(total >= 0); // SAFE
    void *ret;
    pthread_join(extra, &ret);
    int *count = ret;
    if (count) {
        assert(*count == 7); // SAFE
        free(count);
    }
    long first = jobs[0].sum;
    assert(first == 0); // UNSAFE!
    return 0;
}
