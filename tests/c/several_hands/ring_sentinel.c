// ARGS: --properties assertion,array-bounds,data-race
// A ring with one place left empty: full when the next of tail is head.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define SZ 10
static int q[SZ]; // SAFE
static int head, tail; // SAFE
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int next(int i) { return i + 1 == SZ ? 0 : i + 1; }

static bool enqueue(int x) {
    bool ok = false;
    pthread_mutex_lock(&m);
    if (next(tail) != head) {
        q[tail] = x; // SAFE
        tail = next(tail);
        assert(tail != head); // UNKNOWN (differences of ends that wrap)
        ok = true;
    }
    pthread_mutex_unlock(&m);
    return ok;
}

static bool dequeue(int *x) {
    bool ok = false;
    pthread_mutex_lock(&m);
    if (head != tail) {
        *x = q[head]; // SAFE
        head = next(head);
        assert(next(tail) != head); // UNKNOWN (differences of ends that wrap)
        ok = true;
    }
    assert(head < SZ); // SAFE
    assert(tail < SZ); // SAFE
    pthread_mutex_unlock(&m);
    return ok;
}

static void *in(void *a) {
    for (int i = 5; i < 50; i += 5)
        while (!enqueue(i))
            ;
    return 0;
}

static void *out(void *a) {
    int x = 0;
    for (int n = 0; n < 9; n++) {
        while (!dequeue(&x))
            ;
        assert(x >= 5); // UNKNOWN (differences of ends that wrap)
        assert(x < 50); // SAFE
        assert(x % 5 == 0); // SAFE
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, in, 0);
    pthread_create(&b, 0, out, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(head == tail); // UNKNOWN (differences of ends that wrap)
    return 0;
}
