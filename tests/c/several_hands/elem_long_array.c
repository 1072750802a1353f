// ARGS: --properties assertion,array-bounds,data-race
// A long array split into ranges; each thread fills its range and looks at what it has written.
#include <assert.h>
#include <pthread.h>

#define SIZE 40
#define THREADS 4
static int data[SIZE]; // SAFE
struct range { int from, to; };

static void *fill(void *arg) {
    struct range *r = arg;
    for (int i = r->from; i < r->to; i++) {
        data[i] = i % 7; // SAFE
        assert(data[i] < 7); // SAFE
        assert(data[i] == i % 7); // UNKNOWN (what the elements of an array are by their indices)
    }
    return 0;
}

int main(void) {
    pthread_t t[THREADS];
    struct range r[THREADS];
    for (int k = 0; k < THREADS; k++) {
        r[k].from = k * (SIZE / THREADS);
        r[k].to = (k + 1) * (SIZE / THREADS);
        pthread_create(&t[k], 0, fill, &r[k]);
    }
    for (int k = 0; k < THREADS; k++)
        pthread_join(t[k], 0);
    long sum = 0;
    for (int i = 0; i < SIZE; i++) {
        assert(data[i] >= 0 && data[i] <= 6); // SAFE
        sum += data[i];
    }
    assert(sum <= 6 * SIZE); // UNKNOWN (what the elements of an array are by their indices)
    assert(sum >= 0); // SAFE
    return 0;
}
