// ARGS: --properties assertion,array-bounds
// Free-running unsigned ends; tail - head is the fill, at most SIZE.
#include <pthread.h>
#include <assert.h>
#define SIZE 16u
static unsigned head, tail;
static char slots[SIZE];
static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static int put(char c) {
    int ok = 0;
    pthread_mutex_lock(&mu);
    if (tail - head < SIZE) {
        slots[tail % SIZE] = c; // SAFE
        tail++;
        ok = 1;
    }
    assert(tail - head <= SIZE); // UNKNOWN (differences of ends that wrap)
    pthread_mutex_unlock(&mu);
    return ok;
}
static int get(char *c) {
    int ok = 0;
    pthread_mutex_lock(&mu);
    if (tail != head) {
        *c = slots[head++ & (SIZE - 1)]; // SAFE
        ok = 1;
    }
    assert(tail - head < SIZE); // UNKNOWN (differences of ends that wrap)
    assert(tail - head <= SIZE); // UNKNOWN (differences of ends that wrap)
    pthread_mutex_unlock(&mu);
    return ok;
}
static void *w(void *a) { for (;;) put('x'); return a; }
static void *r(void *a) { char c; for (;;) get(&c); return a; }
int main(void) {
    pthread_t x, y;
    pthread_create(&x, 0, w, 0); pthread_create(&y, 0, r, 0);
    pthread_join(x, 0); pthread_join(y, 0);
    return 0;
}
