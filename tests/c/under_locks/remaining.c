// Work is handed out in portions. A portion ends where the next one begins, and none goes beyond the total.
#include <assert.h>
#include <pthread.h>

#define PORTION 7
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int position, total;
extern int __VERIFIER_nondet_int(void);

static int next_portion(int *begin, int *stop) {
    pthread_mutex_lock(&lock);
    *begin = position;
    *stop = position + PORTION;
    if (*stop > total)
        *stop = total;
    position = *stop;
    pthread_mutex_unlock(&lock);
    return *begin < *stop;
}

static void *worker(void *unused) {
    int begin, stop;
    while (next_portion(&begin, &stop)) {
        assert(stop - begin <= PORTION); // SAFE
        assert(begin >= 0); // SAFE
        for (int i = begin; i < stop; i++) {
            assert(i >= begin && i < stop); // SAFE
            assert(i < total); // SAFE
        }
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    total = __VERIFIER_nondet_int();
    if (total < 0 || total > 20)
        return 0;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(position <= total); // SAFE
    return 0;
}
