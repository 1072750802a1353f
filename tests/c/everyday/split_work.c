// An array is summed up in two halves, each by a thread that writes its sum to a structure of its own.
#include <assert.h>
#include <pthread.h>

#define LENGTH 8
static const int data[LENGTH] = {1, 2, 3, 4, 5, 6, 7, 8};
struct half { int from, to, sum; };

static void *sum(void *argument) {
    struct half *h = argument;
    int found = 0;
    for (int i = h->from; i < h->to; i++) {
        assert(i >= 0 && i < LENGTH); // SAFE
        found += data[i];
    }
    h->sum = found;
    return 0;
}

int main(void) {
    pthread_t a, b;
    struct half low = {0, LENGTH / 2, 0}, high = {LENGTH / 2, LENGTH, 0};
    pthread_create(&a, 0, sum, &low);
    pthread_create(&b, 0, sum, &high);
    __goblint_check(low.sum == 0); // UNSAFE!
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(low.sum >= 0); // SAFE
    assert(low.sum == 10); // SAFE
    assert(low.sum + high.sum == 36); // SAFE
    return 0;
}
