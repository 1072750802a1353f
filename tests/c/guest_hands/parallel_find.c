// ARGS: --properties assertion,array-bounds
// Several threads look for a value; the first to find it says where, the others stop.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 12
#define WORKERS 3

static int haystack[N];
static atomic_int found = -1;
static atomic_int looked;

struct range {
    int lo, hi;
};

static void *search(void *arg) {
    struct range r = *(struct range *)arg;
    int steps = 0;
    for (int i = r.lo; i < r.hi && found < 0; i++) {
        steps++;
        looked++;
        if (haystack[i] == 7) { // SAFE
            int none = -1;
            atomic_compare_exchange_strong(&found, &none, i);
            assert(found >= 0); // SAFE
        }
        assert(looked >= 1); // SAFE
    }
    assert(steps <= r.hi - r.lo); // SAFE
    assert(steps <= 4); // SAFE
    assert(found >= -1 && found < N); // SAFE
    return (void *)(long)steps;
}

int main(void) {
    pthread_t t[WORKERS];
    struct range ranges[WORKERS];
    int total = 0;
    for (int i = 0; i < N; i++)
        haystack[i] = i % 10; // SAFE
    for (int i = 0; i < WORKERS; i++) {
        ranges[i].lo = 4 * i; // SAFE
        ranges[i].hi = 4 * i + 4;
        pthread_create(&t[i], 0, search, &ranges[i]);
    }
    for (int i = 0; i < WORKERS; i++) {
        void *r;
        pthread_join(t[i], &r);
        assert((long)r >= 0 && (long)r <= 4); // SAFE
        total += (int)(long)r;
    }
    assert(total <= N); // SAFE
    assert(looked == total); // SAFE
    assert(found < 0 || haystack[found] == 7); // UNKNOWN (an element by an index)
    assert(found == 7); // UNKNOWN (an element by an index)
    assert(total == N); // UNSAFE!
    return 0;
}
